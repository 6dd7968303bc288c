import { type ConstructorOptions, type Job, PgBoss } from "pg-boss";
import type { Budget } from "../contract/budget.ts";
import { packNames } from "../packs/registry.ts";
import { type Address, readAddress } from "../store/store.ts";
import type { PostgresDatabase } from "../store/postgres.ts";

type Delivery = { run: string; failures: number; budget?: Budget };

export type Delivered = { job: Job<Delivery>; pack: string };

type DeadLetter = { run: string; pack: string; reason: string; at: string };

export type EnqueueOptions = { delayMs?: number; failures?: number; budget?: Budget };
type RunToPlay = { id: string; pack: string };

/** Hands runs to workers, at least once each. A run is queued at most once, and once more while a worker has it. */
export type Queue = Awaited<ReturnType<typeof openQueue>>;

type DeadRow = { run: string; pack: string; reason: string | null; at: Date };

export async function openQueue(database: PostgresDatabase, { supervise }: { supervise: boolean }) {
  const boss = await openBoss(database, supervise);
  const jobs = `${queueSchema(database.address)}.job`;
  const ensured = new Set<string>();
  /** A user's own pack has no queue until it is first used. */
  const ensure = async (pack: string): Promise<void> => {
    if (!ensured.has(pack)) await boss.createQueue(nameQueue(pack), queueOptions);
    ensured.add(pack);
  };
  const send = async ({ id, pack }: RunToPlay, options: EnqueueOptions = {}): Promise<void> => {
    await ensure(pack);
    const { delayMs = 0, failures = 0, budget } = options;
    const data: Delivery = { run: id, failures, ...(budget ? { budget } : {}) };
    const startAfter = Math.ceil(delayMs / 1000);
    await boss.send(nameQueue(pack), data, { singletonKey: id, ...(startAfter > 0 ? { startAfter } : {}) });
  };
  const complete = async ({ job, pack }: Delivered): Promise<void> =>
    void (await boss.complete(nameQueue(pack), { id: job.id, retryCount: job.retryCount }));

  const digUp = (run: string): Promise<unknown> =>
    database.query(`DELETE FROM ${jobs} WHERE name = $1 AND data ->> 'run' = $2`, [deadQueue, run]);

  return {
    async enqueue(run: RunToPlay, options?: EnqueueOptions): Promise<void> {
      await database.persist(() => digUp(run.id));
      await database.persist(() => send(run, options));
    },
    async fetch(packs: readonly string[], most: number): Promise<Delivered[]> {
      const fetched: Delivered[] = [];
      for (const pack of packs) await ensure(pack);
      for (const pack of packs) {
        if (fetched.length >= most) break;
        const found = await boss.fetch<Delivery>(nameQueue(pack), { batchSize: most - fetched.length });
        fetched.push(...found.map((job) => ({ job, pack })));
      }
      return fetched;
    },
    /** Sends a heartbeat; returns the ids of deliveries this process still has. */
    async touch(delivered: readonly Delivered[]): Promise<Set<string>> {
      const own = new Set<string>();
      for (const [pack, group] of Map.groupBy(delivered, (one) => one.pack)) {
        const attempts = group.map(({ job: { id, retryCount } }) => ({ id, retryCount }));
        const { settled } = (await boss.touch(nameQueue(pack), attempts)) as { settled?: string[] };
        for (const id of settled ?? attempts.map((one) => one.id)) own.add(id);
      }
      return own;
    },
    done: (delivered: Delivered) => database.persist(() => complete(delivered)),
    async putBack(delivered: Delivered, options?: EnqueueOptions): Promise<void> {
      const { run, ...data } = delivered.job.data;
      // Queue the new delivery first, so that the run is always in a queue.
      await database.persist(() => send({ id: run, pack: delivered.pack }, { ...data, ...options }));
      await database.persist(() => complete(delivered));
    },
    async giveUp(delivered: Delivered, reason: string): Promise<void> {
      const { run } = delivered.job.data;
      await database.persist(() => boss.send(deadQueue, { run, pack: delivered.pack, reason }, { singletonKey: run }));
      await database.persist(() => complete(delivered));
    },
    /** Removes runs from the queue and returns those that were in it; a worker playing one notices at its next heartbeat. */
    async cancel(runs: readonly RunToPlay[]): Promise<string[]> {
      const open: string[] = [];
      for (const { id, pack } of runs) {
        const found = await database.query<{ id: string }>(
          `SELECT id FROM ${jobs} WHERE name = $1 AND singleton_key = $2 AND state < 'completed'`,
          [nameQueue(pack), id],
        );
        if (found.length > 0) open.push(id);
        for (const job of found) await boss.cancel(nameQueue(pack), job.id);
      }
      return open;
    },
    /** The runs that wait for a worker or are being played. */
    async listOpen(runs: readonly string[]): Promise<Set<string>> {
      const text = `SELECT singleton_key AS run FROM ${jobs} WHERE name <> $1 AND state < 'completed' AND singleton_key = ANY($2)`;
      const rows = await database.persist(() => database.query<{ run: string }>(text, [deadQueue, runs]));
      return new Set(rows.map(({ run }) => run));
    },
    async listDead(runs?: readonly string[]): Promise<DeadLetter[]> {
      const rows = await database.persist(() =>
        database.query<DeadRow>(
          `SELECT data ->> 'run' AS run, coalesce(data ->> 'pack', substr(source_name, 5)) AS pack,
              data ->> 'reason' AS reason, created_on AS at
            FROM ${jobs} WHERE name = $1 AND state = 'created' ${runs ? "AND data ->> 'run' = ANY($2)" : ""}
            ORDER BY created_on DESC LIMIT 1000`,
          runs ? [deadQueue, runs] : [deadQueue],
        ),
      );
      return rows.map(({ reason, at, ...row }) => ({ ...row, reason: reason ?? broughtDown, at: at.toISOString() }));
    },
    digUp,
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

const broughtDown = "every worker that ran it stopped in the middle; check it with parley show before you retry it";

export function queueSchema({ schema }: Address): string {
  return `${schema}_queue`;
}

/** Each pack has its queue, so that a worker takes only what it can play. */
function nameQueue(pack: string): string {
  return `run.${pack}`;
}

export const deadQueue = "dead";

/**
 * A worker silent for ten seconds loses its runs; this is checked every few seconds. A run may take a day. Each
 * takeover uses a retry; a run that brings down this many workers is given up.
 */
const queueOptions = {
  policy: "stately",
  heartbeatSeconds: 10,
  expireInSeconds: 86_400,
  retryLimit: 50,
  retryDelay: 0,
  deadLetter: deadQueue,
  deleteAfterSeconds: 3_600,
};
const superviseOptions = { superviseIntervalSeconds: 2, monitorIntervalSeconds: 4 } satisfies ConstructorOptions;

/** Opens pg-boss on the store's connections; only workers run maintenance. */
async function openBoss(database: PostgresDatabase, supervise: boolean): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values as unknown[]) },
    schema: queueSchema(database.address),
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise,
    ...superviseOptions,
  });
  // The next round of maintenance makes up for a failed one.
  boss.on("error", () => undefined);
  await database.persist(() => boss.start());
  return boss;
}

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
