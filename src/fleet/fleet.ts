import { budgetOfBatch, StoredBudgets } from "../runs/budgets.ts";
import type { FleetPlay, FinishedRun } from "../runs/start.ts";
import { migrateStore, openPostgres, openStoreOn, type PostgresOptions } from "../store/postgres.ts";
import { fleetTables } from "./fleet-tables.ts";
import { migrateQueues, openQueue, type EnqueueOptions, type Queue } from "./queue.ts";
import { ParleyError } from "../contract/error.ts";
import type { Run } from "../contract/run.ts";
import { readRun, requireRun } from "../runs/read-run.ts";
import { finishedOf } from "../runs/show-run.ts";
import type { Store } from "../store/store.ts";

/** Several machines sharing a store, a queue and budgets over one connection pool. */
export type Fleet = Awaited<ReturnType<typeof openFleet>>;

export type FleetOptions = PostgresOptions & { supervise?: boolean };

export async function openFleet(address: string, options: FleetOptions = {}) {
  const database = openPostgres(address, options);
  const store = await openStoreOn(database, options);
  const queue = await openQueue(database, { supervise: options.supervise ?? false });
  const budgets = new StoredBudgets(store.spending);
  return {
    database,
    store,
    queue,
    budgets,
    /** Has workers play runs; `signal` ends the waiting, not the runs. */
    workers({ signal }: { signal?: AbortSignal } = {}): FleetPlay {
      const deliveries = new Deliveries(store, queue, signal);
      return {
        play: (run, { budget }) => deliveries.deliver(run, { budget }),
        limitBatch: (batch, budget, spent) => store.spending.setLimits(budgetOfBatch(batch), budget, spent),
      };
    },
    async close(): Promise<void> {
      await budgets.idle();
      await queue.close();
      await store.close();
    },
  };
}

export async function migrateFleet(address: string): Promise<{ from: number; to: number }> {
  const done = await migrateStore(address, fleetTables);
  await migrateQueues(address);
  return done;
}

type Waiting = { done(finished: FinishedRun): void; failed(error: unknown): void };

const lookMs = 300;

/** Has workers play runs, and polls all awaited ones together. The signal ends the waiting; the workers go on. */
class Deliveries {
  readonly #store: Store;
  readonly #queue: Queue;
  readonly #signal: AbortSignal | undefined;
  readonly #waiting = new Map<string, Waiting[]>();
  #timer: NodeJS.Timeout | null = null;

  constructor(store: Store, queue: Queue, signal?: AbortSignal) {
    this.#store = store;
    this.#queue = queue;
    this.#signal = signal;
    signal?.addEventListener("abort", () => this.#stop(), { once: true });
  }

  async deliver(id: string, options?: EnqueueOptions): Promise<FinishedRun> {
    const run = await requireRun(this.#store, id);
    await this.#queue.enqueue({ id, pack: run.manifest.pack }, options);
    return new Promise((done, failed) => {
      this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), { done, failed }]);
      if (this.#signal?.aborted) this.#stop();
      else this.#timer ??= setTimeout(() => void this.#look(), lookMs);
    });
  }

  async #look(): Promise<void> {
    const asked = [...this.#waiting.keys()];
    try {
      const open = await this.#queue.listOpen(asked);
      for (const run of asked) if (!open.has(run)) await this.#settle(run);
    } catch (error) {
      for (const run of asked) for (const { failed } of this.#leave(run)) failed(error);
    }
    this.#timer = this.#waiting.size > 0 ? setTimeout(() => void this.#look(), lookMs) : null;
  }

  async #settle(run: string): Promise<void> {
    const all = this.#leave(run);
    await readEnd(this.#store, this.#queue, run).then(
      (finished) => all.forEach(({ done }) => done(finished)),
      (error: unknown) => all.forEach(({ failed }) => failed(error)),
    );
  }

  #leave(run: string): Waiting[] {
    const all = this.#waiting.get(run) ?? [];
    this.#waiting.delete(run);
    return all;
  }

  #stop(): void {
    for (const { failed } of [...this.#waiting.values()].flat())
      failed(new ParleyError("interrupted", "stopped waiting; the workers continue with the queued runs"));
    this.#waiting.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

async function readEnd(store: Store, queue: Queue, id: string): Promise<FinishedRun> {
  const stored = await readRun(store, id);
  if (stored.run.status === "finished" && stored.result) return { runId: id, finished: finishedOf(stored) };
  throw await explainOpenEnd(queue, stored.run);
}

async function explainOpenEnd(queue: Queue, { id, status }: Run): Promise<ParleyError> {
  const details = { runId: id };
  if (status === "waiting") return new ParleyError("parked", `run ${id} waits for a person`, { details });
  const [dead] = await queue.listDead([id]);
  if (dead) return new ParleyError("endpoint_failed", `run ${id} was given up: ${dead.reason}`, { details });
  const how = `parley store fleet retry ${id} queues it again`;
  return new ParleyError("cancelled", `run ${id} was cancelled before it ended; ${how}`, { details });
}
