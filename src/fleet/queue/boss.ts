import { type ConstructorOptions, PgBoss } from "pg-boss";
import { packNames } from "../../packs/registry.ts";
import { type Address, readAddress } from "../../store/postgres-address.ts";
import type { PostgresDatabase } from "../../store/postgres.ts";

/** The schema of the queue, beside that of the store. */
export function queueSchema({ schema }: Address): string {
  return `${schema}_queue`;
}

/** Each pack has a queue, so that a worker takes only what it can play. */
export function nameQueue(pack: string): string {
  return `run.${pack}`;
}

/** Where runs go that are not handed out any more. */
export const deadQueue = "dead";

/**
 * A worker that shows no sign of life for ten seconds loses its runs, and that is looked after every few seconds. A run
 * may take a day. Each takeover uses a retry; one that brings down this many workers is buried.
 */
export const queueOptions = {
  policy: "stately",
  heartbeatSeconds: 10,
  expireInSeconds: 86_400,
  retryLimit: 50,
  retryDelay: 0,
  deadLetter: deadQueue,
  deleteAfterSeconds: 3_600,
};
const superviseOptions = { superviseIntervalSeconds: 2, monitorIntervalSeconds: 4 } satisfies ConstructorOptions;

/** Opens pg-boss on the connections of the store; only workers look after each other. */
export async function openBoss(database: PostgresDatabase, supervise: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values as unknown[]) },
    schema: queueSchema(database.address),
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise,
    ...superviseOptions,
  });
  // A round of maintenance that fails is made good by the next.
  boss.on("error", () => undefined);
  await database.persist(() => boss.start());
  return boss;
}

/** Lays out the queues, or brings them up to date; for whoever owns the database. */
export async function migrateQueues(text: string): Promise<void> {
  const address = readAddress(text);
  const boss = new PgBoss({
    connectionString: address.connection,
    schema: queueSchema(address),
    supervise: false,
    schedule: false,
    max: 2,
  });
  boss.on("error", () => undefined);
  await boss.start();
  try {
    await boss.createQueue(deadQueue, { policy: "short", retentionSeconds: 31_536_000 });
    for (const pack of packNames) {
      await boss.createQueue(nameQueue(pack), queueOptions);
      const { policy: _, ...changeable } = queueOptions;
      await boss.updateQueue(nameQueue(pack), changeable);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
