import type { AnyPack } from "../../engine/pack.ts";
import { measureOf, type JobKey, type Scorecard, type JudgedPosition } from "../results/results.ts";
import type { StudyCase } from "../datasets/load-dataset.ts";
import type { ArmPlan } from "./plan-arms.ts";
import { type Budget, noCost, noUsage } from "../../contract/budget.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Turn } from "../../contract/turn.ts";
import { readRun } from "../../runs/read-run.ts";
import { continueRun, makeManifest, runKey, type RunSetting, startRun } from "../../runs/start.ts";

export type PlannedJob = { key: JobKey; arm: ArmPlan; case: StudyCase };

type Known = { pack: AnyPack; arms: ArmPlan[]; cardOf(key: JobKey): Scorecard | undefined };

/** Plans case by case, so that a study cut short still compares like with like; arms that build on others come last. */
export function* planJobs(arms: ArmPlan[], cases: StudyCase[], seeds: number[]): Generator<PlannedJob> {
  for (const later of [false, true])
    for (const one of cases)
      for (const arm of arms.filter((candidate) => needsOtherArms(candidate) === later))
        for (const seed of seeds) yield { key: { arm: arm.name, case_id: one.id, seed }, arm, case: one };
}

export function needsOtherArms(arm: ArmPlan): boolean {
  return arm.redecide !== null || arm.samples !== null;
}

/** Completes a job with the turns it reuses or its number of samples; null while those are missing. */
export function planReadyJob(planned: PlannedJob, { pack, arms, cardOf }: Known): Job | null {
  const { key, arm } = planned;
  const base = { ...planned, config: arm.settings, cast: arm.cast, samples: null };
  if (arm.redecide !== null) {
    const source = cardOf({ ...key, arm: arm.redecide });
    return source === undefined ? null : { ...base, cast: `recording/${source.run_id ?? "none"}` };
  }
  if (arm.samples === null) return base;
  const reference = cardOf({ ...key, arm: arms.find((one) => one.kind === "reference")?.name ?? "" });
  const single = cardOf({ ...key, arm: arms.find((one) => one.control === "single")?.name ?? "single" });
  if (reference === undefined || single === undefined) return null;
  let samples = countSamples(reference, single);
  while (samples > 1 && !pack.config.safeParse(arm.samples(samples)).success) samples--;
  return { ...base, samples, config: arm.samples(samples) };
}

const mostSamples = 64;

/** As many samples as cost about the same as the reference on this case, in tokens or, without tokens, in calls. */
function countSamples(reference: Scorecard, single: Scorecard): number {
  const tokens = ({ cost: { usage } }: Scorecard): number => usage.inputTokens + usage.outputTokens;
  const isFree = tokens(reference) === 0 && tokens(single) === 0;
  const costOf = (card: Scorecard): number => (isFree ? card.cost.spend.calls : tokens(card));
  if (costOf(reference) === 0 || costOf(single) === 0) return 1;
  return Math.min(mostSamples, Math.max(1, Math.round(costOf(reference) / costOf(single))));
}

export type JobSetting = {
  pack: AnyPack;
  runs: RunSetting;
  batch: string;
  runBudget: Budget;
  retryFailed: boolean;
};

export type Job = { key: JobKey; arm: ArmPlan; case: StudyCase; config: unknown; cast: string; samples: number | null };

/** A scorecard, or why the run is not over: it waits for a person, or the study's budget or another process stopped it. */
type JobDone = Scorecard | "waiting" | "stopped";

export async function runJob(setting: JobSetting, job: Job): Promise<JobDone> {
  try {
    const ended = await finishRun(setting, job);
    return isEndedByStudyBudget(setting, ended.result) ? "stopped" : scoreRun(setting.pack, job, ended);
  } catch (error) {
    if (error instanceof ParleyError && fatal.has(error.code)) throw error;
    if (hasCode(error, "parked")) return "waiting";
    if ((["run_locked", "lost_lease", "cancelled"] as const).some((code) => hasCode(error, code))) return "stopped";
    return scoreRun(setting.pack, job, { runId: null, result: null, turns: [], error });
  }
}

const fatal = new Set(["interrupted", "store_failed", "corrupt_store", "bad_cast", "bad_config", "missing_key"]);

async function finishRun(setting: JobSetting, job: Job) {
  const { runs, pack } = setting;
  const { case: one, config, cast, key } = job;
  const { batch, runBudget: budget } = setting;
  const request = { pack, input: one.input, config, cast, seed: key.seed, budget, caseId: one.id, batch };
  const [known] = await runs.store.list({ key: runKey(makeManifest(request), one.id), batch, limit: 1 });
  if (known?.status === "finished") {
    const { result, turns } = await readRun(runs.store, known.id);
    const again = setting.retryFailed && known.outcome === "failed";
    if (result && !again && !isEndedByStudyBudget(setting, result)) return { runId: known.id, result, turns };
  }
  const { runId, finished } = await (known
    ? continueRun(runs, pack, known.id)
    : startRun(runs, { ...request, once: { batch } }));
  return { runId, result: finished.result, turns: finished.turns };
}

/** A run's own budget lists its refusals; an empty list means the study's budget refused. */
function isEndedByStudyBudget({ runBudget }: JobSetting, { outcome, spend }: DebateResult): boolean {
  return outcome === "budget_exhausted" && spend.refused.length === 0 && runBudget.wallMs === undefined;
}

type RunToScore = { runId: string | null; result: DebateResult | null; turns: Turn[]; error?: unknown };

/** The only place where decision and gold meet. No decision scores 0, whatever the standing answer; a failure has no score. */
export function scoreRun(pack: AnyPack, { key, arm, case: one, samples }: Job, run: RunToScore): Scorecard {
  const measure = measureOf(pack);
  const failure = findFailure(run);
  const decision: unknown = failure === null ? (run.result?.decision ?? null) : null;
  const judged = one.gold !== null;
  const isScored = judged && decision !== null && run.result?.outcome === "decided";
  const scores = isScored ? measure.score(decision, one.gold) : null;
  const standing = scores === null ? 0 : (scores[measure.primary] ?? null);
  const primary = judged && failure === null ? standing : null;
  const error = run.result ? null : describeFailure(run.error);
  const { calls, tokens, usd } = run.result?.spend ?? noCost;
  return {
    ...key,
    run_id: run.runId ?? error?.runId ?? null,
    outcome: run.result?.outcome ?? "failed",
    reasons: run.result?.reasons ?? [error?.message ?? ""],
    decision: run.result?.decision ?? null,
    failure,
    scores,
    primary,
    right: primary === null ? null : primary >= 1 - 1e-9,
    confidence: decision === null ? null : (measure.confidence?.(decision) ?? null),
    tally: decision === null ? {} : (measure.tally?.(decision, one.gold) ?? {}),
    positions: decision === null ? [] : judgePositions(pack, decision, run.turns, one.gold),
    cost: {
      usage: run.result?.usage ?? noUsage,
      spend: { calls, tokens, usd },
      calls_saved: arm.redecide === null ? 0 : run.turns.flatMap((turn) => turn.attempts).length,
    },
    samples,
    error: error && { code: error.code, message: error.message },
  };
}

function describeFailure(error: unknown): { code: string; message: string; runId: string | null } {
  if (!(error instanceof ParleyError))
    return { code: "crashed", message: (error instanceof Error && error.stack) || String(error), runId: null };
  const { runId } = error.details;
  return { code: error.code, message: error.message, runId: typeof runId === "string" ? runId : null };
}

/** Why a run is not counted: it broke, ran out of budget, or is undecided with unreadable replies. */
function findFailure({ result, turns }: RunToScore): Scorecard["failure"] {
  if (result === null || result.outcome === "failed") return "failed";
  if (result.outcome === "budget_exhausted") return "out of budget";
  const isUnread = ({ status, problems }: Turn): boolean =>
    status === "abstained" && problems.some(({ code }) => code !== "no_answer");
  return result.outcome !== "decided" && turns.some(isUnread) ? "unreadable" : null;
}

function judgePositions(pack: AnyPack, decision: unknown, turns: Turn[], gold: unknown): JudgedPosition[] {
  const { measure } = pack;
  return (measure?.positions?.(decision, turns) ?? []).map(({ round, role, answer, item }) => ({
    round,
    role,
    item: item ?? null,
    answer,
    correct: gold === null || !measure?.isCorrect ? null : measure.isCorrect(answer, gold, item),
  }));
}
