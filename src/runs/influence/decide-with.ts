import { ParleyError } from "../../contract/error.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import { noUsage } from "../../contract/usage.ts";
import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import type { Cast, Played, Player } from "../../engine/player.ts";
import { readRecordedReply } from "../../engine/turn.ts";
import { runDebate } from "../../engine/run-debate.ts";
import type { StoredRun } from "../record/read-run.ts";
import { checkValue, withSettings } from "../settings/read-settings.ts";
import { compareHeadlines, type Flip, isFlip } from "../redecide/redecide.ts";
import type { Change } from "./change.ts";
import { editReply } from "./edit-reply.ts";

/** What the recorded turns come to with some changes; null when that cannot be told without turns that were never held. */
export type DecideWith = (changes: readonly Change[]) => Promise<AnyFinished | null>;

/** Decides a run again and again with changes; every other speaker repeats what it said, and no call is made. */
export function createDecider(
  pack: AnyPack,
  { run, material, turns }: Pick<StoredRun, "run" | "material" | "turns">,
): DecideWith {
  const { input, given, seed } = run.manifest;
  const asked = new Map<string, unknown>();
  return async (changes) => {
    const settings = changes
      .filter((change) => change.kind === "setting")
      .map(({ setting, to }) => `${setting}=${JSON.stringify(to)}`);
    try {
      const config: unknown = checkValue(pack.config, withSettings(given, settings), "config", "bad_config");
      const cast =
        changes.length === 0
          ? keepInputs(castTurns(turns), asked)
          : changeTurns(castTurns(turns), { turns, changes, asked });
      const finished = await runDebate({ pack, input, config, cast, seed, material: { value: material } });
      return isUnderstood(finished, changes) ? finished : null;
    } catch (error) {
      if (error instanceof ParleyError) return null;
      throw error;
    }
  };
}

/** The lines of the outcome and the headline that differ; empty when a reader would act as before. */
export function listFlips(pack: AnyPack, before: AnyFinished, after: AnyFinished): Flip[] {
  const outcome = { before: before.result.outcome, after: after.result.outcome };
  const headline = compareHeadlines(pack, before, after);
  if (!isFlip({ outcome, headline })) return [];
  return [{ name: "outcome", ...outcome }, ...headline].filter((line) => line.before !== line.after);
}

/** Repeats recorded turns by their keys, whatever they are now asked; a turn that was never recorded is played by `live`. */
export function castTurns(turns: readonly Turn[], live: Cast | null = null): Cast {
  const byKey = new Map(turns.map((turn) => [turnIdOf(turn.key), turn]));
  return (name) => ({
    id: "recording",
    async play(role, input, turn) {
      const recorded = byKey.get(turnIdOf(turn.key));
      const attempt = recorded?.attempts.at(-1);
      if (attempt)
        return {
          ...(attempt.overruled ? { overrule: attempt.overruled } : {}),
          reply: readRecordedReply(attempt, turn.key),
          usage: attempt.usage,
          finish: attempt.finish,
          final: true,
          ...(recorded && { saidBy: recorded.player }),
        };
      if (live) return live(name).play(role, input, turn);
      throw new ParleyError("not_recorded", `${turnIdOf(turn.key)} was not recorded`);
    },
  });
}

/** Keeps what each turn is asked when nothing is changed. */
function keepInputs(cast: Cast, asked: Map<string, unknown>): Cast {
  return (name) => ({
    ...cast(name),
    play(role, input, turn) {
      asked.set(turnIdOf(turn.key), input);
      return cast(name).play(role, input, turn);
    },
  });
}

type Changed = { turns: readonly Turn[]; changes: readonly Change[]; asked: ReadonlyMap<string, unknown> };

/** Repeats turns with the changes; who speaks of others by number goes on speaking of the same ones. */
function changeTurns(cast: Cast, { turns, changes, asked }: Changed): Cast {
  const spoken = new Map(turns.map((turn) => [turnIdOf(turn.key), turn.reply]));
  const byTurn = Map.groupBy(
    changes.filter((change) => change.kind !== "setting"),
    ({ turn }) => turn,
  );
  return (name): Player => ({
    ...cast(name),
    async play(role, input, turn) {
      const id = turnIdOf(turn.key);
      const own = byTurn.get(id) ?? [];
      const edits = own.filter((change) => change.kind !== "turn");
      if (edits.length < own.length) return playValue(null);
      const reply = spoken.get(id);
      const carry = asked.has(id) && reply !== null ? role.experiment?.carry : undefined;
      if (edits.length === 0 && !carry) return cast(name).play(role, input, turn);
      const edited = editReply(reply, edits);
      return playValue(carry ? carry(edited as never, asked.get(id) as never, input) : edited);
    },
  });
}

function playValue(value: unknown): Played {
  return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
}

/** A reply that the role refuses would only be another silence: what was to be said must have been understood. */
function isUnderstood({ turns }: AnyFinished, changes: readonly Change[]): boolean {
  return changes
    .filter((change) => change.kind === "part" || change.kind === "score")
    .every((change) => turns.some(({ key, status }) => turnIdOf(key) === change.turn && status !== "abstained"));
}
