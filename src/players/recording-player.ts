import { hasCode, ParleyError } from "../contract/error.ts";
import { type Attempt, type Turn, type TurnKey, turnIdOf } from "../contract/turn.ts";
import { noUsage, type Usage } from "../contract/usage.ts";
import type { Player } from "../engine/player.ts";
import { readRecordedReply } from "../engine/turn.ts";
import { throwIfInterrupted } from "./with-retry.ts";

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
        ...(id === undefined ? { saidBy: recorded.player } : {}),
        ...(attempt.outputLimit === undefined ? {} : { outputLimit: attempt.outputLimit }),
        ...(attempt.overruled ? { overrule: attempt.overruled } : {}),
        ...(final ? { final } : {}),
      };
    },
  };
}

/** Repeats what was recorded where the same is asked; the player answers everything else. */
export function repeatRecorded(turns: readonly Turn[], live: Player): Player {
  const recorded = recordingPlayer(turns);
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
