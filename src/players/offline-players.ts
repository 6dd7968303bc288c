import { noCost, noUsage, type Usage } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import { type Attempt, type Turn, turnIdOf } from "../contract/turn.ts";
import type { Player } from "../engine/player.ts";
import { readRecordedReply } from "../engine/turn.ts";
import { throwIfInterrupted } from "./with-retry.ts";

/** Plays a role with its built-in program: deterministic, offline, free. */
export function expertPlayer(): Player {
  return {
    id: "expert",
    deterministic: true,
    async play(role, input, turn) {
      if (role.expert === undefined)
        throw new ParleyError("bad_cast", `role "${role.name}" has no expert: cast a model or a person`);
      throwIfInterrupted(turn.signal);
      await turn.reserve(noCost);
      try {
        const value = await role.expert(input);
        return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
      } catch (cause) {
        if (cause instanceof ParleyError) throw cause;
        const what = cause instanceof Error ? cause.message : String(cause);
        throw new ParleyError("expert_failed", `the expert of ${turnIdOf(turn.key)} failed: ${what}`, { cause });
      }
    },
  };
}

/** How a recording plays: under which name, and what it says a recorded attempt used (nothing, since no call is made). */
type RecordingOptions = { id?: string; usageOf?(attempt: Attempt): Usage };

/** Plays what was recorded, matched by request hash; makes no call and reserves nothing. */
export function recordingPlayer(
  turns: readonly Turn[],
  { id = "recording", usageOf = () => noUsage }: RecordingOptions = {},
): Player {
  const byRequest = Map.groupBy(turns, (turn) => turn.requestHash);
  return {
    id,
    deterministic: true,
    async play(_role, _input, turn) {
      throwIfInterrupted(turn.signal);
      const asked = turnIdOf(turn.key);
      const same = byRequest.get(turn.requestHash) ?? [];
      const recorded = same.find(({ key }) => turnIdOf(key) === asked) ?? same[0];
      const place = turn.repair === null ? 0 : 1;
      const attempt = recorded?.attempts[place];
      if (recorded === undefined || attempt === undefined) {
        const why = recorded ? "it needs a repair that was never made" : "it was never asked this";
        throw new ParleyError("not_recorded", `${asked} was not recorded: ${why}`, { details: { turn: asked, why } });
      }
      const final = place === recorded.attempts.length - 1 && attempt.problems.length > 0;
      return {
        reply: readRecordedReply(attempt, turn.key),
        usage: usageOf(attempt),
        finish: attempt.finish,
        // Rules ask who spoke: a program stays a program when it is played again.
        saidBy: recorded.player,
        ...(attempt.outputLimit === undefined ? {} : { outputLimit: attempt.outputLimit }),
        ...(attempt.overruled ? { overrule: attempt.overruled } : {}),
        ...(final ? { final } : {}),
      };
    },
  };
}

/** Replays recorded replies to identical requests; the player answers all others. */
export function repeatRecorded(turns: readonly Turn[], live: Player, options: RecordingOptions = {}): Player {
  const recorded = recordingPlayer(turns, options);
  return {
    ...live,
    async play(role, input, turn) {
      try {
        return await recorded.play(role, input, turn);
      } catch (error) {
        if (!hasCode(error, "not_recorded")) throw error;
        return live.play(role, input, turn);
      }
    },
  };
}
