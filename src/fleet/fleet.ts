import { budgetOfBatch, StoredBudgets } from "../runs/budgets.ts";
import type { FleetPlay } from "../runs/start.ts";
import { migrateStore, openPostgres, openStoreOn, type PostgresOptions } from "../store/postgres.ts";
import { Deliveries } from "./deliver-runs.ts";
import { fleetTables } from "./fleet-tables.ts";
import { migrateQueues, openQueue } from "./queue.ts";

/** What several machines share: the store, the queue and the budgets, over one pool of connections. */
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
    /** Has runs played by workers; `signal` ends the waiting, not the runs. */
    workers({ signal, priority }: { signal?: AbortSignal; priority?: number } = {}): FleetPlay {
      const deliveries = new Deliveries(store, queue, signal);
      return {
        play: (run, { budget }) => deliveries.deliver(run, { budget, priority }),
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
