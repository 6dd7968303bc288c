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

export type Fleet = {
  database: PostgresDatabase;
  store: Store;
  queue: Queue;
  budgets: StoredBudgets;
  elsewhere(options?: { signal?: AbortSignal; priority?: number }): Elsewhere;
  close(): Promise<void>;
};

export type FleetOptions = PostgresOptions & {
  supervise?: boolean;
};

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

export async function migrateFleet(address: string): Promise<{ from: number; to: number }> {
  const done = await migrateStore(address, fleetTables);
  await migrateQueues(address);
  return done;
}
