import { budgetOfBatch, StoredBudgets } from "../runs/budgets.ts";
import type { Elsewhere } from "../runs/start.ts";
import {
  migrateStore,
  openPostgres,
  openStoreOn,
  type PostgresDatabase,
  type PostgresOptions,
} from "../store/postgres.ts";
import type { Store } from "../store/store.ts";
import { Deliveries } from "./deliver-runs.ts";
import { fleetTables } from "./fleet-tables.ts";
import { migrateQueues, openQueue, type Queue } from "./queue.ts";

/** What several machines share: the store, the queue and the budgets, over one pool of connections. */
export type Fleet = {
  database: PostgresDatabase;
  store: Store;
  queue: Queue;
  budgets: StoredBudgets;
  /** Has runs played by workers; `signal` ends the waiting, not the runs. */
  elsewhere(options?: { signal?: AbortSignal; priority?: number }): Elsewhere;
  close(): Promise<void>;
};

export type FleetOptions = PostgresOptions & {
  /** Looks after workers that are gone: for those who work themselves. */
  supervise?: boolean;
};

/** Opens the fleet at an address; one that is not laid out is refused. */
export async function openFleet(address: string, options: FleetOptions = {}): Promise<Fleet> {
  const database = openPostgres(address, options);
  const store = await openStoreOn(database, options);
  const queue = await openQueue(database, { supervise: options.supervise ?? false });
  const budgets = new StoredBudgets(store.spending);
  return {
    database,
    store,
    queue,
    budgets,
    elsewhere({ signal, priority } = {}) {
      const deliveries = new Deliveries(store, queue, signal);
      return {
        play: (run, { budget }) => deliveries.deliver(run, { budget, priority }),
        limitBatch: (batch, budget, spent) => store.spending.setLimits(budgetOfBatch(batch), budget, spent),
      };
    },
    async close() {
      await budgets.idle();
      await queue.close();
      await store.close();
    },
  };
}

/** Lays out everything that a fleet keeps in its database: the store, limits, and the queues. */
export async function migrateFleet(address: string): Promise<{ from: number; to: number }> {
  const done = await migrateStore(address, fleetTables);
  await migrateQueues(address);
  return done;
}
