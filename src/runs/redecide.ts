import { differenceText, type Difference, jsonDiff } from "../contract/json-diff.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateResult, Note } from "../contract/result.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import { runDebate } from "../engine/run-debate.ts";
import { recordingPlayer } from "../players/recording-player.ts";
import type { StoredRun } from "./read-run.ts";
import { checked, withSettings } from "./read-settings.ts";

/** What a redecision came to: the new end, and what changed in the outcome, the decision and rule by rule. */
export type Redecided = {
  finished: AnyFinished;
  config: Difference[];
  outcome: { before: string; after: string };
  decision: Difference[];
  rules: RuleChange[];
};

/** A rule that decided otherwise, fired newly, or no longer fired. */
export type RuleChange = { rule: string; round: number; differences: Difference[] };

/** Runs the rules of a run again over its recorded turns, with a changed config; no call is made. */
export async function redecide(pack: AnyPack, stored: StoredRun, settings: readonly string[]): Promise<Redecided> {
  const { run, result } = stored;
  if (!result) throw new ParleyError("bad_input", `run ${run.id} has not ended; resume it first`);
  const { manifest } = run;
  const given = withSettings(manifest.given, settings);
  const config: unknown = checked(pack.config, given, `config of the ${pack.name} pack`, "bad_config");
  const finished = await replay(pack, stored, config);
  return {
    finished,
    config: jsonDiff(manifest.config, config),
    outcome: { before: result.outcome, after: finished.result.outcome },
    decision: jsonDiff(result.decision, plain(finished.result.decision)),
    rules: ruleChanges(result.notes, finished.result.notes),
  };
}

/**
 * Plays a run's protocol over its recorded turns; a turn that was never recorded is an error that names it.
 * The config is read by the pack once more, as it is when a run starts: the order of its keys is part of the prompts.
 */
export async function replay(
  pack: AnyPack,
  { run, turns }: Pick<StoredRun, "run" | "turns">,
  config: unknown,
): Promise<AnyFinished> {
  const { manifest } = run;
  const player = recordingPlayer(turns, { usageOf: (attempt) => attempt.usage });
  try {
    const read: unknown = checked(pack.config, config, `the config of run ${run.id}`, "bad_config");
    return await runDebate({ pack, input: manifest.input, config: read, cast: () => player, seed: manifest.seed });
  } catch (error) {
    if (!hasCode(error, "not_recorded")) throw error;
    const turn = String(error.details.turn);
    throw new ParleyError(
      "not_recorded",
      `this would need the turn ${turn}, which run ${run.id} never recorded. Nothing was called; a new run, or \`parley branch\` from an earlier step, can make the call`,
      { cause: error, details: { turn } },
    );
  }
}

/** Compares the rules' notes: the n-th note of a type in a round with the n-th of the other run. */
export function ruleChanges(before: readonly Note[], after: readonly Note[]): RuleChange[] {
  const left = numbered(before);
  const right = numbered(after);
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.flatMap((name) => {
    const note = left.get(name) ?? right.get(name);
    const differences = jsonDiff(left.get(name)?.data, plain(right.get(name)?.data));
    return differences.length > 0 && note ? [{ rule: note.type, round: note.round, differences }] : [];
  });
}

/** A rule's change in words. */
export function ruleChangeText({ rule, round, differences }: RuleChange): string {
  return `${rule}${round > 0 ? ` (round ${round})` : ""}: ${differences.slice(0, 6).map(differenceText).join("; ")}`;
}

function numbered(notes: readonly Note[]): Map<string, Note> {
  const counts = new Map<string, number>();
  return new Map(
    notes.map((note) => {
      const kind = `${note.round}/${note.type}`;
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      return [`${kind}/${number}`, note];
    }),
  );
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** True when nothing that a reader would act on changed. */
export function isSameResult(before: DebateResult, after: DebateResult): boolean {
  return before.outcome === after.outcome && jsonDiff(before.decision, plain(after.decision)).length === 0;
}
