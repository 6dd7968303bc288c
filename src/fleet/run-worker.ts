import { setTimeout as pause } from "node:timers/promises";
import { type ErrorCode, hasCode, ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/journal.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import type { Player } from "../engine/player.ts";
import { loadPackOf } from "../packs/registry.ts";
import { requireRun } from "../runs/read-run.ts";
import { type CastOf, continueRun, isOver } from "../runs/start.ts";
import type { Store } from "../store/store.ts";
import type { Delivered, Queue } from "./queue.ts";

type WorkerOptions = {
  store: Store;
  queue: Queue;
  castFor(run: Run): CastOf;
  packs: readonly string[];
  concurrency: number;
  /** Ends the work: current runs may end within `graceMs`, the rest is given back. */
  signal: AbortSignal;
  graceMs: number;
  onAlive?(playing: number): Promise<void>;
  onEvent?(event: DebateEvent, run: Run): void;
  onStep?(run: string, step: NextStep): void;
};

/** Where only a person's answer is taken: the other roles are a worker's, who plays them once the answer is recorded. */
export const playedByWorkers: Player = {
  id: "worker",
  play: () => Promise.reject(new ParleyError("interrupted", "the rest is played by a worker")),
};

type Playing = { delivered: Delivered; stop: AbortController; done: Promise<void> };

const lookMs = 500;
const aliveMs = 2_500;

export async function runWorker(options: WorkerOptions): Promise<void> {
  const { queue, packs, concurrency, signal, graceMs } = options;
  const playing = new Map<string, Playing>();
  let ended = new AbortController();
  const waitFor = (ms: number): Promise<void> => {
    ended = new AbortController();
    return pause(ms, undefined, { signal: AbortSignal.any([signal, ended.signal]) }).catch(() => undefined);
  };
  const start = (delivered: Delivered): void => {
    const stop = new AbortController();
    const done = playDelivery(options, delivered, stop.signal).finally(() => {
      playing.delete(delivered.job.id);
      ended.abort();
    });
    playing.set(delivered.job.id, { delivered, stop, done });
  };
  const showAll = (): void => {
    void showAlive(queue, playing);
    void options.onAlive?.(playing.size).catch(() => undefined);
  };
  showAll();
  const alive = setInterval(showAll, aliveMs);
  try {
    while (!signal.aborted) {
      const room = concurrency - playing.size;
      // Without the database there is nothing to do but wait.
      const fetched = room > 0 ? await queue.fetch(packs, room).catch(() => []) : [];
      for (const delivered of fetched) start(delivered);
      if (fetched.length === 0 || playing.size >= concurrency)
        await waitFor(playing.size >= concurrency ? aliveMs : lookMs);
    }
    const timer = setTimeout(() => {
      for (const { stop } of playing.values()) stop.abort();
    }, graceMs);
    await Promise.all([...playing.values()].map(({ done }) => done));
    clearTimeout(timer);
  } finally {
    clearInterval(alive);
  }
}

async function showAlive(queue: Queue, playing: Map<string, Playing>): Promise<void> {
  const asked = [...playing.values()];
  if (asked.length === 0) return;
  const own = await queue.touch(asked.map(({ delivered }) => delivered)).catch(() => null);
  if (own) for (const { delivered, stop } of asked) if (!own.has(delivered.job.id)) stop.abort(takenAway);
}

const takenAway = new ParleyError("lost_lease", "the run was cancelled, or handed to another worker");

async function playDelivery(options: WorkerOptions, delivered: Delivered, signal: AbortSignal): Promise<void> {
  const { data } = delivered.job;
  const end = await playRun(options, delivered, signal);
  const isTaken = signal.reason === takenAway && "error" in end && hasCode(end.error, "interrupted");
  const next: NextStep = isTaken ? { step: "leave" } : judgeEnd(end, data.failures, Math.random());
  options.onStep?.(data.run, next);
  // If the queue is unreachable, the delivery times out and is repeated.
  await takeStep(options.queue, delivered, next).catch(() => undefined);
}

async function playRun(options: WorkerOptions, { job }: Delivered, signal: AbortSignal): Promise<DeliveryEnd> {
  const { store, castFor, onEvent } = options;
  const { run: id, budget } = job.data;
  try {
    const run = await requireRun(store, id);
    if (isOver(run)) return { result: { outcome: run.outcome ?? "decided", reasons: [] } };
    const setting = { store, castOf: castFor(run), signal, onEvent };
    const { finished } = await continueRun(setting, await loadPackOf(run.manifest), id, { budget });
    return { result: finished.result };
  } catch (error) {
    return { error };
  }
}

async function takeStep(queue: Queue, delivered: Delivered, next: NextStep): Promise<void> {
  if (next.step === "done") await queue.done(delivered);
  if (next.step === "give_up") await queue.giveUp(delivered, next.reason);
  if (next.step === "again") await queue.putBack(delivered, { delayMs: next.delayMs, failures: next.failures });
}

type DeliveryEnd = { result: Pick<DebateResult, "outcome" | "reasons"> } | { error: unknown };

export type NextStep =
  | { step: "done" }
  /** Deliver again later; `failures` counts failures of the run itself. */
  | { step: "again"; delayMs: number; failures: number }
  | { step: "give_up"; reason: string }
  /** Not ours any more, or the database is unreachable. */
  | { step: "leave" };

export const mostFailures = 5;

const firstDelayMs = 2_000;
const longestDelayMs = 300_000;
/** By then the current holder has finished or lost its lease. */
const lockedDelayMs = 3_000;

/** Failures that neither another worker nor a retry can change. */
const hopeless = new Set<ErrorCode>([
  "bad_input",
  "bad_config",
  "bad_cast",
  "unknown_run",
  "duplicate_turn",
  "drifted",
  "not_recorded",
  "corrupt_store",
  "missing_key",
  "expert_failed",
]);

/** Decides about a delivery after `failures` earlier ones; `random` is in [0, 1). */
export function judgeEnd(end: DeliveryEnd, failures: number, random: number): NextStep {
  if ("result" in end) {
    const { outcome, reasons } = end.result;
    return outcome === "failed" ? tryAgain(reasons.join("; "), failures, random) : { step: "done" };
  }
  const { error } = end;
  if (!(error instanceof ParleyError)) return { step: "give_up", reason: `a bug in Parley: ${String(error)}` };
  const { code, message } = error;
  if (code === "parked") return { step: "done" };
  if (code === "interrupted") return { step: "again", delayMs: 0, failures };
  if (code === "run_locked") return { step: "again", delayMs: lockedDelayMs, failures };
  if (code === "lost_lease" || code === "store_failed") return { step: "leave" };
  return hopeless.has(code) ? { step: "give_up", reason: message } : tryAgain(message, failures, random);
}

/** Exponential backoff with jitter. */
function tryAgain(reason: string, failures: number, random: number): NextStep {
  if (failures + 1 >= mostFailures)
    return { step: "give_up", reason: `failed ${failures + 1} times, at last: ${reason}` };
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** failures) * (0.5 + random / 2);
  return { step: "again", delayMs, failures: failures + 1 };
}
