import { noCost } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import { type Attempt, type Turn, turnIdOf, type TurnKey } from "../contract/turn.ts";
import { noUsage, type Usage } from "../contract/usage.ts";
import type { Player } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import { readRecordedReply } from "../engine/turn.ts";
import { throwIfInterrupted } from "./with-retry.ts";

/** Plays a role with its built-in program: deterministic, offline, free. `roles` are those that errors can point to. */
export function expertPlayer(roles: readonly AnyRole[] = []): Player {
  return {
    id: "expert",
    deterministic: true,
    async play(role, input, turn) {
      if (role.expert === undefined) throw createNoExpertError(role, roles);
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

function createNoExpertError(role: AnyRole, roles: readonly AnyRole[]): ParleyError {
  const having = roles.filter((one) => one.expert !== undefined).map((one) => one.name);
  const known = having.length === 0 ? "" : ` (roles with an expert: ${having.join(", ")})`;
  return new ParleyError("bad_cast", `role "${role.name}" has no expert: cast a model or a person${known}`);
}

/** How a recording plays: under which name, and what it says a recorded attempt used (nothing, since no call is made). */
export type RecordingOptions = { id?: string; usageOf?(attempt: Attempt): Usage };

/** Plays what was recorded, matched by request hash; makes no call and reserves nothing. */
export function recordingPlayer(
  turns: readonly Turn[],
  { id, usageOf = () => noUsage }: RecordingOptions = {},
): Player {
  const byKey = new Map(turns.map((turn) => [turnIdOf(turn.key), turn]));
  const byRequest = Map.groupBy(turns, (turn) => turn.requestHash);
  return {
    id: id ?? "recording",
    deterministic: true,
    async play(_role, _input, turn) {
      throwIfInterrupted(turn.signal);
      const recorded = closest(byRequest.get(turn.requestHash) ?? [], turn.key);
      if (recorded === null)
        throw createNotRecordedError(
          turn.key,
          byKey.has(turnIdOf(turn.key)) ? "it was asked something else" : "its request is not among the recorded turns",
        );
      const place = turn.repair === null ? 0 : 1;
      const attempt = recorded.attempts[place];
      if (attempt === undefined) throw createNotRecordedError(turn.key, "it needs a repair that was never made");
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

/** The turn with this key, or else any with the same request. */
function closest(turns: readonly Turn[], key: TurnKey): Turn | null {
  return turns.find((turn) => turnIdOf(turn.key) === turnIdOf(key)) ?? turns[0] ?? null;
}

function createNotRecordedError(key: TurnKey, why: string): ParleyError {
  return new ParleyError("not_recorded", `${turnIdOf(key)} was not recorded: ${why}`, {
    details: { turn: turnIdOf(key), why },
  });
}
