import { migrateStore } from "../store/postgres.ts";
import { fleetTables } from "./fleet-tables.ts";
import { migrateQueues } from "./queue/boss.ts";

/** Lays out everything that a fleet keeps in its database: the store, limits, and the queues. */
export async function migrateFleet(address: string): Promise<{ from: number; to: number }> {
  const done = await migrateStore(address, fleetTables);
  await migrateQueues(address);
  return done;
}
