import type { AnyPack } from "../../engine/pack.ts";
import { measureOf } from "../datasets/measure.ts";
import type { StudyCase } from "../datasets/dataset-schema.ts";
import type { JobKey, Scorecard, JudgedPosition } from "../results/results.ts";
import type { ArmPlan } from "./plan-arms.ts";
import { type Budget, noCost } from "../../contract/budget.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Turn } from "../../contract/turn.ts";
import { noUsage } from "../../contract/usage.ts";
import { readRun } from "../../runs/read-run.ts";
import { continueRun, makeManifest, runKey, type RunRequest, type RunSetting, startRun } from "../../runs/start.ts";

export type PlannedJob = { key: JobKey; arm: ArmPlan; case: StudyCase };

export type Known = { pack: AnyPack; arms: ArmPlan[]; cardOf: CardOf };

export type CardOf = (key: JobKey) => Scorecard | undefined;

/**
 * All jobs of a study, case by case so that a study cut short still compares like with like; arms that build on others
 * (turns used again, sample counts) come after all of them.
 */
export function* planJobs(arms: ArmPlan[], cases: StudyCase[], seeds: number[]): Generator<PlannedJob> {
  for (const later of [false, true])
    for (const one of cases)
      for (const arm of arms.filter((candidate) => needsOtherArms(candidate) === later))
        for (const seed of seeds) yield { key: { arm: arm.name, case_id: one.id, seed }, arm, case: one };
}

export function needsOtherArms(arm: ArmPlan): boolean {
  return arm.redecide !== null || arm.samples !== null;
}

/**
 * The job in full: whose turns it uses again, or how many samples fit the tokens of the reference; null while what it
 * builds on is missing.
 */
export function planReadyJob(planned: PlannedJob, { pack, arms, cardOf }: Known): Job | null {
  const { key, arm } = planned;
  const base = { ...planned, config: arm.settings, cast: arm.cast, samples: null };
  if (arm.redecide !== null) {
    const source = cardOf({ ...key, arm: arm.redecide });
    return source === undefined ? null : { ...base, cast: `recording/${source.run_id ?? "none"}` };
  }
  if (arm.samples === null) return base;
  const reference = cardOf({ ...key, arm: arms.find((one) => one.kind === "reference")?.name ?? "" });
  const single = cardOf({ ...key, arm: findSingle(arms) });
  if (reference === undefined || single === undefined) return null;
  const samples = findMostAccepted(pack, arm.samples, countSamples(reference, single));
  return { ...base, samples, config: arm.samples(samples) };
}

function findMostAccepted(pack: AnyPack, settingsOf: (count: number) => unknown, wanted: number): number {
  let count = wanted;
  while (count > 1 && !pack.config.safeParse(settingsOf(count)).success) count--;
  return count;
}

function findSingle(arms: ArmPlan[]): string {
  return arms.find((arm) => arm.control === "single")?.name ?? "single";
}

const mostSamples = 64;

/** As many samples as cost about what the reference cost on this case; at least one, at most 64. */
export function countSamples(reference: Scorecard, single: Scorecard): number {
  const free = tokensOf(reference) === 0 && tokensOf(single) === 0;
  const [budget, each] = [reference, single].map(free ? callsOf : tokensOf) as [number, number];
  if (budget === 0 || each === 0) return 1;
  return Math.min(mostSamples, Math.max(1, Math.round(budget / each)));
}

function callsOf(card: Scorecard): number {
  return card.cost.spend.calls;
}

function tokensOf(card: Scorecard): number {
  return card.cost.usage.inputTokens + card.cost.usage.outputTokens;
}

export type JobSetting = {
  pack: AnyPack;
  runs: RunSetting;
  batch: string;
  runBudget: Budget;
  retryFailed: boolean;
};

export type Job = { key: JobKey; arm: ArmPlan; case: StudyCase; config: unknown; cast: string; samples: number | null };

/** What came of a job; a run that is not over waits for a person, or was stopped by the study's budget or another process. */
export type JobDone = Scorecard | "waiting" | "stopped";

type Ended = { runId: string; result: DebateResult; turns: Turn[] };

export async function runJob(setting: JobSetting, job: Job): Promise<JobDone> {
  try {
    const ended = await finishRun(setting, job);
    return isEndedByStudyBudget(setting, ended.result) ? "stopped" : scoreJob(setting, job, ended);
  } catch (error) {
    if (error instanceof ParleyError && fatal.has(error.code)) throw error;
    if (hasCode(error, "parked")) return "waiting";
    if ((["run_locked", "lost_lease", "cancelled"] as const).some((code) => hasCode(error, code))) return "stopped";
    return recordFailure(setting, job, error);
  }
}

const fatal = new Set(["interrupted", "store_failed", "corrupt_store", "bad_cast", "bad_config", "missing_key"]);

async function finishRun(setting: JobSetting, job: Job): Promise<Ended> {
  const { runs, pack } = setting;
  const request = makeRequest(setting, job);
  const key = runKey(makeManifest(request), job.case.id);
  const [known] = await runs.store.list({ key, batch: setting.batch, limit: 1 });
  if (known?.status === "finished") {
    const { result, turns } = await readRun(runs.store, known.id);
    const again = setting.retryFailed && known.outcome === "failed";
    if (result && !again && !isEndedByStudyBudget(setting, result)) return { runId: known.id, result, turns };
  }
  const { runId, finished } = await (known
    ? continueRun(runs, pack, known.id)
    : startRun(runs, { ...request, once: { batch: setting.batch } }));
  return { runId, result: finished.result, turns: finished.turns };
}

function makeRequest({ pack, batch, runBudget }: JobSetting, job: Job): RunRequest {
  const { case: one, config, cast, key } = job;
  return { pack, input: one.input, config, cast, seed: key.seed, budget: runBudget, caseId: one.id, batch };
}

/** A run's own budget lists what it refused; the list is empty when the study's budget refused. */
function isEndedByStudyBudget({ runBudget }: JobSetting, { outcome, spend }: DebateResult): boolean {
  return outcome === "budget_exhausted" && spend.refused.length === 0 && runBudget.wallMs === undefined;
}

function scoreJob({ pack }: JobSetting, job: Job, { runId, result, turns }: Ended): JobDone {
  const attempts = turns.flatMap((turn) => turn.attempts);
  const cost = {
    usage: result.usage,
    spend: { calls: result.spend.calls, tokens: result.spend.tokens, usd: result.spend.usd },
    calls_saved: job.arm.redecide === null ? 0 : attempts.length,
    wall_ms: Math.round(Math.max(0, ...attempts.map((one) => one.startedMs + one.durationMs)) * 1000) / 1000,
  };
  return scoreRun(pack, job.case, {
    job: job.key,
    runId,
    result,
    turns,
    row: { cost, samples: job.samples, error: null },
  });
}

function recordFailure({ pack }: JobSetting, job: Job, error: unknown): JobDone {
  const code = error instanceof ParleyError ? error.code : "crashed";
  const message =
    error instanceof Error
      ? error instanceof ParleyError
        ? error.message
        : (error.stack ?? error.message)
      : String(error);
  const runId = error instanceof ParleyError && typeof error.details.runId === "string" ? error.details.runId : null;
  const cost = { usage: noUsage, spend: noCost, calls_saved: 0, wall_ms: 0 };
  const row = { cost, samples: job.samples, error: { code, message } };
  return scoreRun(pack, job.case, { job: job.key, runId, result: null, turns: [], row });
}

export type RunToScore = {
  job: JobKey;
  runId: string | null;
  result: DebateResult | null;
  turns: Turn[];
  row: Pick<Scorecard, "cost" | "samples" | "error">;
};

/**
 * Scores a run against the gold of its case; the only place where decision and gold meet. A run that ended by its own
 * rules without deciding scores 0, whatever answer was standing; one that failed has no score.
 */
export function scoreRun(pack: AnyPack, one: StudyCase, run: RunToScore): Scorecard {
  const measure = measureOf(pack);
  const failure = findFailure(run);
  const decision: unknown = failure === null ? (run.result?.decision ?? null) : null;
  const isDecided = decision !== null && run.result?.outcome === "decided";
  const judged = one.gold !== null;
  const scores = judged && isDecided ? measure.score(decision, one.gold) : null;
  const standing = scores === null ? 0 : (scores[measure.primary] ?? null);
  const primary = judged && failure === null ? standing : null;
  const right = primary === null ? null : primary >= 1 - 1e-9;
  const confidence = decision === null ? null : (measure.confidence?.(decision) ?? null);
  return {
    ...run.job,
    run_id: run.runId,
    outcome: run.result?.outcome ?? "failed",
    reasons: run.result?.reasons ?? (run.row.error ? [run.row.error.message] : []),
    decision: run.result?.decision ?? null,
    failure,
    scores,
    primary,
    right,
    confidence,
    tally: decision === null ? {} : (measure.tally?.(decision, one.gold) ?? {}),
    positions: decision === null ? [] : judgePositions(pack, decision, run.turns, one.gold),
    ...run.row,
  };
}

/**
 * Why a run counts for nothing: it broke, its money ran out, or it is undecided and replies in it could not be read. A
 * program that has no answer was read.
 */
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
