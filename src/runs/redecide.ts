import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateResult, Note } from "../contract/result.ts";
import { turnIdOf } from "../contract/turn.ts";
import { UsageSchema } from "../contract/usage.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import type { Player } from "../engine/player.ts";
import { runDebate } from "../engine/run-debate.ts";
import { recordingPlayer } from "../players/offline-players.ts";
import { type Difference, diffJson, formatDifference, jsonCopy } from "../text/json.ts";
import type { StoredRun } from "./read-run.ts";
import { nameVersions } from "./version.ts";
import { checkValue, withSettings } from "./settings.ts";
import { headlineOf, present } from "./show-run.ts";

/** What a redecision came to: the new end, and what changed in the settings, the outcome, the decision and rule by rule. */
export type Redecided = {
  finished: AnyFinished;
  config: Difference[];
  outcome: { before: string; after: string };
  /** What a reader acts on, before and after. */
  headline: Flip[];
  decision: Difference[];
  rules: RuleChange[];
  /** True when a person had settled the run: compared is what the rules said before. */
  settled: boolean;
};

/** A line of a headline in two runs; equal when nothing flipped. */
export type Flip = { name: string; before: string; after: string };

/** Applies the rules again to a run's recorded turns, with a changed config; no model is called. */
export async function redecide(pack: AnyPack, stored: StoredRun, settings: readonly string[]): Promise<Redecided> {
  const { run } = stored;
  const before = findDebatedResult(stored);
  if (!before) throw new ParleyError("bad_input", `run ${run.id} has not ended; resume it first`);
  const { manifest } = run;
  const given = withSettings(manifest.given, settings);
  const config: unknown = checkValue(pack.config, given, `config of the ${pack.name} pack`, "bad_config");
  const finished = await replay(pack, stored, config).catch((error: unknown) =>
    explainMissingTurn(pack, stored, error),
  );
  const after = jsonCopy(finished.result) as DebateResult;
  return {
    finished,
    config: diffJson(manifest.config, config),
    outcome: { before: before.outcome, after: after.outcome },
    headline: present(pack, { ...stored, result: before }, (old) =>
      compareHeadlines(pack, old, { ...finished, result: after }),
    ),
    decision: diffJson(dropBooks(before.decision), dropBooks(after.decision)),
    rules: compareRules(before.notes, after.notes),
    settled: before !== stored.result,
  };
}

/** A turn that is missing for the recorded settings too is no matter of the settings: the code or the prompts are others. */
async function explainMissingTurn(pack: AnyPack, stored: StoredRun, error: unknown): Promise<never> {
  const ended = findDebatedResult(stored)?.outcome;
  if (!hasCode(error, "not_recorded") || ended === "failed" || ended === "budget_exhausted") throw error;
  const drifted = await replay(pack, stored, stored.run.manifest.config).then(
    () => false,
    (cause: unknown) => hasCode(cause, "not_recorded"),
  );
  if (!drifted) throw error;
  const explained = new ParleyError(
    "drifted",
    `run ${stored.run.id} cannot be redecided: this version of Parley asks ${String(error.details.turn)} something different from the recording, even with the recorded settings. Start a new run.`,
    { cause: error },
  );
  throw nameVersions(explained, stored.run.manifest.parley);
}

/** True when a reader would act otherwise. */
export function isFlip({ outcome, headline }: Pick<Redecided, "outcome" | "headline">): boolean {
  return outcome.before !== outcome.after || headline.some((line) => line.before !== line.after);
}

/** What two ends of one pack say, line by line. */
export function compareHeadlines(pack: AnyPack, before: AnyFinished | null, after: AnyFinished | null): Flip[] {
  const [old, now] = [headlineOf(pack, before), headlineOf(pack, after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.map((name) => ({ name, before: old[name] ?? "nothing", after: now[name] ?? "nothing" }));
}

/** The result the debate itself came to, before a person settled it. */
export function findDebatedResult({ entries, result }: Pick<StoredRun, "entries" | "result">): DebateResult | null {
  const review = entries.findIndex((entry) => entry.body.kind === "review");
  const end = review < 0 ? null : entries.slice(0, review).findLast((entry) => entry.body.kind === "end")?.body;
  return end?.kind === "end" ? end.result : result;
}

/**
 * Plays a run's protocol over its recorded turns; a turn that was never recorded is an error that names it.
 * With `stop` the debate ends there as it once did; `onAsked` hears of each turn. The config is read by the pack once more, as it is when a run starts: the order of its keys is part of the prompts.
 */
export async function replay(
  pack: AnyPack,
  { run, material, turns }: Pick<StoredRun, "run" | "material" | "turns">,
  config: unknown,
  stop: ParleyError | null = null,
  onAsked: (turn: string) => void = () => undefined,
): Promise<AnyFinished> {
  const { manifest } = run;
  const recorded = stopWith(stop, recordingPlayer(turns, { usageOf: (attempt) => attempt.usage }));
  const player: Player = {
    id: recorded.id,
    play: (role, input, turn) => {
      onAsked(turnIdOf(turn.key));
      return recorded.play(role, input, turn);
    },
  };
  try {
    const read: unknown = checkValue(pack.config, config, `the config of run ${run.id}`, "bad_config");
    checkValue(pack.input, manifest.input, `the input of run ${run.id}`, "drifted");
    const { input, seed, challenge } = manifest;
    const given = { pack, input, config: read, seed, challenge, material: { value: material } };
    return await runDebate({ ...given, cast: () => player });
  } catch (error) {
    if (!hasCode(error, "not_recorded")) throw error;
    const turn = String(error.details.turn);
    throw new ParleyError(
      "not_recorded",
      `this would need the turn ${turn}, which run ${run.id} never recorded: ${String(error.details.why)}.\nNothing was called; a new run, or \`parley branch ${run.id}\` from a step before it, can make the call`,
      { cause: error, details: { turn } },
    );
  }
}

/** A player of recorded turns that ends the debate with `stop`, as it once ended, where a turn was never recorded. */
function stopWith(stop: ParleyError | null, player: Player): Player {
  if (stop === null) return player;
  return {
    id: player.id,
    play: async (role, input, turn) => {
      try {
        return await player.play(role, input, turn);
      } catch (error) {
        throw hasCode(error, "not_recorded") ? stop : error;
      }
    },
  };
}

/** A value without its book-keeping: what turns used and the hash of the settings are nothing that a rule decides. */
function dropBooks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropBooks);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => key !== "config_hash" && !UsageSchema.safeParse(inner).success,
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, dropBooks(inner)]));
}

/** A rule that decided otherwise (`changed`), decided what it had not (`new`), or was not asked any more (`gone`). */
export type RuleChange = {
  rule: string;
  round: number;
  /** What tells this decision of the rule from its others in the run: an aspect, a round; empty when it is the only one. */
  about: string;
  change: "changed" | "new" | "gone";
  differences: Difference[];
};

/** Compares the rules' notes: the n-th note of a type in a round with the n-th of the other run. */
export function compareRules(before: readonly Note[], after: readonly Note[]): RuleChange[] {
  const left = numberNotes(before);
  const right = numberNotes(after);
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.flatMap((name) => {
    const [old, now] = [left.get(name), right.get(name)];
    const note = old ?? now;
    const differences = diffJson(old?.data, jsonCopy(now?.data));
    if (!note || differences.length === 0) return [];
    const change = old === undefined ? "new" : now === undefined ? "gone" : "changed";
    return [{ rule: note.type, round: note.round, about: tellApart(note, old ? before : after), change, differences }];
  });
}

/** The changes of rules in words, one per line; neighbours that came or went alike are told together. */
export function formatRuleChanges(changes: readonly RuleChange[]): string[] {
  const groups: RuleChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const like = group?.[0];
    if (group && like?.rule === change.rule && like.change === change.change && change.change !== "changed")
      group.push(change);
    else groups.push([change]);
  }
  return groups.map(groupLine);
}

const shownDifferences = 6;

function groupLine(group: RuleChange[]): string {
  const [first] = group;
  if (!first) return "";
  const last = group.at(-1);
  const about = group.length > 1 ? `${first.about} … ${last?.about ?? ""}` : first.about;
  const where = [about, first.round > 0 ? `round ${first.round}` : ""].filter(Boolean).join(", ");
  const name = `${first.rule}${where === "" ? "" : ` (${where})`}`;
  if (first.change !== "changed") {
    const times = group.length > 1 ? `${group.length} times ` : "";
    return `${name}: ${first.change === "gone" ? `${times}not asked any more` : `${times}newly asked`}${valueText(group)}`;
  }
  const shown = first.differences.slice(0, shownDifferences).map(formatDifference);
  const more = first.differences.length - shown.length;
  return `${name}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** What a rule that came or went had to say; of several only how many. */
function valueText([first, ...others]: RuleChange[]): string {
  const [difference] = first?.differences ?? [];
  if (!difference || others.length > 0) return "";
  const data: unknown = difference.after ?? difference.before;
  if (data === null || typeof data !== "object") return "";
  const scalars = Object.entries(data).filter(([, value]) => value === null || typeof value !== "object");
  const text = scalars.map(([key, value]) => `${key} ${typeof value === "number" ? roundValue(value) : String(value)}`);
  return text.length > 0
    ? ` (${first?.change === "gone" ? "it was " : ""}${text.slice(0, shownDifferences).join(", ")})`
    : "";
}

function roundValue(value: number): number {
  return Number(value.toPrecision(4));
}

/** The first plain value in which a rule's notes of one run all differ. */
function tellApart(note: Note, notes: readonly Note[]): string {
  const alike = notes
    .filter((one) => one.type === note.type && one.round === note.round)
    .map((one) => fields(one.data));
  if (alike.length < 2) return "";
  const own = fields(note.data);
  const key = Object.keys(own).find((name) => {
    const values = alike.map((one) => one[name]);
    return values.every(isPlain) && new Set(values).size === values.length;
  });
  return key === undefined
    ? ""
    : `${typeof own[key] === "number" ? `${key.replaceAll("_", " ")} ` : ""}${String(own[key])}`;
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
}

function fields(data: unknown): Record<string, unknown> {
  return data !== null && typeof data === "object" ? (data as Record<string, unknown>) : {};
}

function numberNotes(notes: readonly Note[]): Map<string, Note> {
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
