import { ParleyError } from "../contract/error.ts";
import type { Run } from "../contract/run.ts";
import { readRun } from "../runs/read-run.ts";
import type { FinishedRun } from "../runs/start.ts";
import type { Store } from "../store/store.ts";
import type { EnqueueOptions, Queue } from "./queue.ts";

/** Has runs played by workers. */
export type Deliveries = {
  /** Hands a stored run to the workers, and resolves with its end; one that parks, is cancelled or is given up is an error. */
  deliver(run: string, options?: EnqueueOptions): Promise<FinishedRun>;
  /** Stops waiting; the workers go on. */
  close(): void;
};

type Waiting = { done(finished: FinishedRun): void; failed(error: unknown): void };

const lookMs = 300;

/** Looks after all runs that are waited for at once. */
export function createDeliveries(store: Store, queue: Queue, signal?: AbortSignal): Deliveries {
  const waiting = new Map<string, Waiting[]>();
  let timer: NodeJS.Timeout | null = null;
  const look = async (): Promise<void> => {
    const asked = [...waiting.keys()];
    try {
      const open = await queue.listOpen(asked);
      for (const run of asked) if (!open.has(run)) await settle(run);
    } catch (error) {
      for (const run of asked) for (const { failed } of leave(run)) failed(error);
    }
    lookAgain();
  };
  const lookAgain = (): void => {
    timer = waiting.size > 0 ? setTimeout(() => void look(), lookMs) : null;
  };
  const settle = async (run: string): Promise<void> => {
    const all = leave(run);
    await readEnd(store, queue, run).then(
      (finished) => all.forEach(({ done }) => done(finished)),
      (error: unknown) => all.forEach(({ failed }) => failed(error)),
    );
  };
  const leave = (run: string): Waiting[] => {
    const all = waiting.get(run) ?? [];
    waiting.delete(run);
    return all;
  };
  const stop = (): void => {
    for (const { failed } of [...waiting.values()].flat())
      failed(new ParleyError("interrupted", "stopped waiting; the workers go on with what they were given"));
    waiting.clear();
    if (timer) clearTimeout(timer);
    timer = null;
  };
  signal?.addEventListener("abort", stop, { once: true });
  return {
    async deliver(id, options) {
      const run = await store.get(id);
      if (!run) throw new ParleyError("unknown_run", `no run ${id} in ${store.location}`);
      await queue.enqueue({ id, pack: run.manifest.pack }, options);
      return new Promise((done, failed) => {
        waiting.set(id, [...(waiting.get(id) ?? []), { done, failed }]);
        if (signal?.aborted) stop();
        else timer ??= setTimeout(() => void look(), lookMs);
      });
    },
    close() {
      signal?.removeEventListener("abort", stop);
      stop();
    },
  };
}

/** The end of a run that is in no queue any more. */
async function readEnd(store: Store, queue: Queue, id: string): Promise<FinishedRun> {
  const { run, material, turns, result } = await readRun(store, id);
  if (run.status === "finished" && result)
    return { runId: id, finished: { input: run.manifest.input, material, config: run.manifest.config, result, turns } };
  throw await explainOpenEnd(queue, run);
}

async function explainOpenEnd(queue: Queue, { id, status }: Run): Promise<ParleyError> {
  const details = { runId: id };
  if (status === "waiting") return new ParleyError("parked", `run ${id} waits for a person`, { details });
  const [dead] = await queue.listDead([id]);
  if (dead) return new ParleyError("endpoint_failed", `run ${id} was given up: ${dead.reason}`, { details });
  const how = `parley store fleet retry ${id} hands it out again`;
  return new ParleyError("cancelled", `run ${id} was cancelled before it ended; ${how}`, { details });
}
