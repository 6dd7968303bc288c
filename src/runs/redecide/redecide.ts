import { hasCode, ParleyError } from "../../contract/error.ts";
import { type Difference, diffJson } from "../../text/json-diff.ts";
import { jsonCopy } from "../../text/json-copy.ts";
import type { DebateResult } from "../../contract/result.ts";
import { UsageSchema } from "../../contract/usage.ts";
import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import { turnIdOf } from "../../contract/turn.ts";
import type { Player } from "../../engine/player.ts";
import { runDebate } from "../../engine/run-debate.ts";
import { recordingPlayer } from "../../players/offline/recording-player.ts";
import { headlineOf, present } from "../record/show-run.ts";
import type { StoredRun } from "../record/read-run.ts";
import { nameVersions } from "../settings/name-versions.ts";
import { checkValue, withSettings } from "../settings/read-settings.ts";
import { type RuleChange, compareRules } from "./compare-rules.ts";

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

/** Runs the rules of a run again over its recorded turns, with a changed config; no call is made. */
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
    `run ${stored.run.id} cannot be redecided: this Parley asks ${String(error.details.turn)} something else than what was recorded, also with the recorded settings. Start a new run.`,
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
    const { input, seed } = manifest;
    return await runDebate({ pack, input, config: read, cast: () => player, seed, material: { value: material } });
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
