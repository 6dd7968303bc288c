import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { budgetOfBatch, StoredBudgets } from "../runs/budgets.ts";
import type { FleetPlay, FinishedRun } from "../runs/start.ts";
import { migrateStore, openPostgres, openStoreOn, type PostgresOptions } from "../store/postgres.ts";
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
  const tables = readFileSync(new URL("../../data/store/fleet.sql", import.meta.url), "utf8");
  const done = await migrateStore(address, tables);
  await migrateQueues(address);
  return done;
}

const lookMs = 300;

/** Has workers play runs, and asks for all awaited ones together. The signal ends the waiting; the workers go on. */
class Deliveries {
  readonly #store: Store;
  readonly #queue: Queue;
  readonly #signal: AbortSignal | undefined;
  readonly #awaited: string[] = [];
  #looking: Promise<Set<string>> | null = null;

  constructor(store: Store, queue: Queue, signal?: AbortSignal) {
    this.#store = store;
    this.#queue = queue;
    this.#signal = signal;
  }

  async deliver(id: string, options?: EnqueueOptions): Promise<FinishedRun> {
    const run = await requireRun(this.#store, id);
    await this.#queue.enqueue({ id, pack: run.manifest.pack }, options);
    this.#awaited.push(id);
    try {
      while (!(await this.#findEnded()).has(id));
    } finally {
      this.#awaited.splice(this.#awaited.indexOf(id), 1);
    }
    return readEnd(this.#store, this.#queue, id);
  }

  #findEnded(): Promise<Set<string>> {
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #look(): Promise<Set<string>> {
    await pause(lookMs, undefined, { signal: this.#signal }).catch(() => {
      throw new ParleyError("interrupted", "stopped waiting; the workers continue with the queued runs");
    });
    const asked = [...this.#awaited];
    const open = await this.#queue.listOpen(asked);
    return new Set(asked.filter((run) => !open.has(run)));
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
