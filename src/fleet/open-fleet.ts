import type { Elsewhere } from "../runs/start/start-run.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../store/postgres/database.ts";
import { postgresStore } from "../store/postgres/postgres-store.ts";
import type { Store } from "../store/store.ts";
import { createDeliveries } from "./deliver-runs.ts";
import { createSharedPurses, purseOfBatch, type SharedPurses } from "./limits/shared-purses.ts";
import { openQueue, type Queue } from "./queue/queue.ts";

/** What several machines share: the store, the queue and the budgets, over one pool of connections. */
export type Fleet = {
  database: Database;
  store: Store;
  queue: Queue;
  purses: SharedPurses;
  /** Has runs played by workers; `signal` ends the waiting, not the runs. */
  elsewhere(options?: { signal?: AbortSignal; priority?: number }): Elsewhere;
  close(): Promise<void>;
};

export type FleetOptions = DatabaseOptions & {
  /** Looks after workers that are gone: for those who work themselves. */
  supervise?: boolean;
};

/** Opens the fleet at an address; one that is not laid out is refused. */
export async function openFleet(address: string, options: FleetOptions = {}): Promise<Fleet> {
  const database = openDatabase(address, options);
  const store = await postgresStore(database).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const queue = await openQueue(database, { supervise: options.supervise ?? false });
  const purses = createSharedPurses(database);
  return {
    database,
    store,
    queue,
    purses,
    elsewhere({ signal, priority } = {}) {
      const { deliver } = createDeliveries(store, queue, signal);
      return {
        play: (run, { budget }) => deliver(run, { budget, priority }),
        limitBatch: (batch, budget, spent) => purses.setLimits(purseOfBatch(batch), budget, spent),
      };
    },
    async close() {
      await purses.idle();
      await queue.close();
      await store.close();
    },
  };
}
