import { type Budget, noCost } from "../../contract/budget.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Turn } from "../../contract/turn.ts";
import { noUsage } from "../../contract/usage.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { continueRun, makeManifest, type RunRequest, type RunSetting, startRun } from "../../runs/start/start-run.ts";
import { runKey } from "../../runs/record/run-seal.ts";
import type { StudyCase } from "../datasets/study-case.ts";
import type { JobKey, ResultRow, Scorecard } from "../results/scorecard.ts";
import type { ArmPlan } from "./plan-arms.ts";
import { scoreRun } from "./score-run.ts";

/** What a job needs of its study. */
export type JobSetting = {
  pack: AnyPack;
  runs: RunSetting;
  batch: string;
  runBudget: Budget;
  /** Goes on with runs that had failed, instead of taking the failure as their result. */
  retryFailed: boolean;
};

/** One run to make: the arm on the case with the seed; `cast` differs from the arm's when turns are used again. */
export type Job = { key: JobKey; arm: ArmPlan; case: StudyCase; config: unknown; cast: string; samples: number | null };

/** What came of a job; a run that is not over waits for a person, or was stopped by the study's budget or another process. */
export type JobDone = { row: ResultRow; card: Scorecard } | "waiting" | "stopped";

type Ended = { runId: string; result: DebateResult; turns: Turn[] };

/** Runs a job, goes on with a run that was cut off, or takes the result of one that had ended; failures are results. */
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

/** What would fail every other job too. */
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

/** A run's own limits list what they refused; a refusal of the study's purse leaves that list empty. */
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
  const { outcome, reasons, decision, quorum } = result;
  const shared = { ...job.key, run_id: runId, outcome, cost, samples: job.samples };
  const card = scoreRun(pack, job.case, { job: job.key, runId, result, turns, row: { cost, samples: job.samples } });
  return { row: { ...shared, reasons, decision, quorum, error: null }, card };
}

/** A job that could not be carried through, as a result. */
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
  const card = scoreRun(pack, job.case, {
    job: job.key,
    runId,
    result: null,
    turns: [],
    row: { cost, samples: job.samples },
  });
  const row = {
    ...job.key,
    run_id: runId,
    outcome: "failed" as const,
    reasons: [message],
    decision: null,
    quorum: null,
    cost,
    samples: job.samples,
    error: { code, message },
  };
  return { row, card };
}
