import type { Redecided as RedecidedReply } from "../contract/api/index.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateResult } from "../contract/result.ts";
import { turnIdOf } from "../contract/turn.ts";
import { UsageSchema } from "../contract/budget.ts";
import type { AnyFinished, AnyPack } from "../engine/pack.ts";
import type { Player } from "../engine/player.ts";
import { runDebate } from "../engine/run-debate.ts";
import { expertPlayer, recordingPlayer, repeatRecorded } from "../players/offline-players.ts";
import { diffJson, isRecord, jsonCopy } from "../text/json.ts";
import { compareHeadlines, compareRules, type Flip, formatRuleChanges, listFlips } from "./compare-runs.ts";
import { type StoredRun, version } from "./read-run.ts";
import { checkValue, withSettings } from "./settings.ts";
import { finishedOf, present } from "./show-run.ts";

/** The result of a redecision, with changes in settings, outcome, decision and each rule. */
export type Redecided = Pick<RedecidedReply, "config" | "outcome" | "headline" | "decision" | "rules" | "settled"> & {
  finished: AnyFinished;
};

/** Applies the rules again to a run's recorded turns, with a changed config; no model is called. */
export async function redecide(pack: AnyPack, stored: StoredRun, settings: readonly string[]): Promise<Redecided> {
  const { run } = stored;
  const before = findDebatedResult(stored);
  if (!before) throw new ParleyError("bad_input", `run ${run.id} has not ended; resume it first`);
  const given = withSettings(run.manifest.given, settings);
  const config: unknown = checkValue(pack.config, given, `config of the ${pack.name} pack`, "bad_config");
  const finished = await replay(pack, stored, config);
  return {
    finished,
    config: diffJson(run.manifest.config, config),
    settled: before !== stored.result,
    ...compareEnds(pack, stored, before, finished),
  };
}

function compareEnds(pack: AnyPack, stored: StoredRun, before: DebateResult, finished: AnyFinished) {
  const after = jsonCopy(finished.result) as DebateResult;
  return {
    outcome: { before: before.outcome, after: after.outcome },
    headline: present(pack, { ...stored, result: before }, (old) =>
      compareHeadlines(pack, old, { ...finished, result: after }),
    ),
    decision: diffJson(dropBooks(before.decision), dropBooks(after.decision)),
    rules: compareRules(before.notes, after.notes),
  };
}

export type Replayed = {
  run: string;
  case: string | null;
  pack: string;
  /**
   * `same`: as recorded; `moved`: other reasons or numbers, but a reader would act the same; `flipped`: a reader
   * would act differently; `needs_calls`: a model would be asked something new; `refused`: today's pack does not
   * accept the case or its settings.
   */
  status: "same" | "moved" | "flipped" | "needs_calls" | "refused";
  flips: Flip[];
  rules: string[];
  asked: string[];
  why: string | null;
};

/**
 * Replays a recorded run with today's pack and changed settings. Unchanged requests get the recorded reply; for new
 * ones programs play, and models are not called.
 */
export async function replayRecording(
  pack: AnyPack,
  stored: StoredRun,
  { settings = [], signal }: { settings?: readonly string[]; signal?: AbortSignal } = {},
): Promise<Replayed> {
  const { run } = stored;
  const before = findDebatedResult(stored);
  const asked: string[] = [];
  const base = { run: run.id, case: run.caseId, pack: run.manifest.pack, flips: [], rules: [], asked, why: null };
  try {
    if (!before) throw new ParleyError("bad_input", "it has not ended");
    const config = withSettings(run.manifest.config, settings);
    const finished = await replay(pack, stored, config, { missing: playPrograms(stored, asked), signal });
    if (finished.result.outcome === "failed" && before.outcome !== "failed")
      return { ...base, status: "refused", why: finished.result.reasons[0] ?? "failed" };
    const { decision, rules } = compareEnds(pack, stored, before, finished);
    const flips = listFlips(pack, finishedOf({ ...stored, result: before }), finished);
    const isMoved = rules.length + decision.length > 0;
    const status = flips.length > 0 ? "flipped" : isMoved ? "moved" : "same";
    return { ...base, status, flips, rules: formatRuleChanges(rules) };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { ...base, status: hasCode(error, "not_recorded") ? "needs_calls" : "refused", why: error.message };
  }
}

function playPrograms({ turns }: StoredRun, asked: string[]): Player {
  const expert = expertPlayer();
  const models = new Set(
    turns.filter(({ attempts }) => attempts.some(({ finish }) => finish !== null)).map(({ key }) => key.role),
  );
  return {
    ...expert,
    async play(role, input, turn) {
      const id = turnIdOf(turn.key);
      asked.push(id);
      if (models.has(role.name) || !role.expert)
        throw new ParleyError("not_recorded", `${id} is asked something else now; its reply would be a new call`);
      return expert.play(role, input, turn);
    },
  };
}

export function findDebatedResult({ entries, result }: Pick<StoredRun, "entries" | "result">): DebateResult | null {
  const review = entries.findIndex((entry) => entry.body.kind === "review");
  const end = review < 0 ? null : entries.slice(0, review).findLast((entry) => entry.body.kind === "end")?.body;
  return end?.kind === "end" ? end.result : result;
}

/** `missing` plays turns that were never recorded; without it they are an error. `player` plays all turns. */
type ReplayOptions = { missing?: Player; player?: Player; signal?: AbortSignal | undefined };

/**
 * Plays a run's protocol over its recorded turns. The pack parses the config again, as on starting a run, because the
 * order of keys is part of the prompts.
 */
export async function replay(
  pack: AnyPack,
  { run, material, turns }: Pick<StoredRun, "run" | "material" | "turns">,
  config: unknown,
  { missing, player: given, signal }: ReplayOptions = {},
): Promise<AnyFinished> {
  const { input, seed, challenge } = run.manifest;
  const recorded = recordingPlayer(turns, { usageOf: ({ usage }) => usage });
  const player = given ?? (missing ? repeatRecorded(recorded, missing) : recorded);
  try {
    const read: unknown = checkValue(pack.config, config, `the config of run ${run.id}`, "bad_config");
    checkValue(pack.input, input, `the input of run ${run.id}`, "drifted");
    const again = { pack, input, config: read, seed, challenge, material: { value: material }, signal };
    return await runDebate({ ...again, cast: () => player });
  } catch (error) {
    if (!hasCode(error, "not_recorded") || missing) throw error;
    const turn = String(error.details.turn);
    const { parley } = run.manifest;
    const made = parley === version ? "" : `\nIt was recorded by Parley ${parley}; this is ${version}.`;
    throw new ParleyError(
      "not_recorded",
      `this would need the turn ${turn}, which run ${run.id} never recorded: ${String(error.details.why)}.\nNothing was called; a new run, or \`parley branch ${run.id}\` from a step before it, can make the call${made}`,
      { cause: error, details: { turn } },
    );
  }
}

function dropBooks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropBooks);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => key !== "config_hash" && !UsageSchema.safeParse(inner).success,
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, dropBooks(inner)]));
}
