import { randomInt } from "node:crypto";
import type { PostgresDatabase } from "../store/postgres.ts";
import { dayBudget } from "../store/store.ts";
import { deadQueue, type Queue, queueSchema } from "./queue.ts";

export type FleetState = Awaited<ReturnType<typeof readFleet>>;

type QueueRow = { pack: string; ready: string; later: string; playing: string; oldest_s: string | null };

const shownDead = 20;

export async function readFleet({ database, queue }: { database: PostgresDatabase; queue: Queue }) {
  const [workers, queues, budgets, dead] = await Promise.all([
    readWorkers(database),
    readQueues(database),
    readBudgets(database),
    queue.listDead(),
  ]);
  return { workers, queues, budgets, dead: dead.slice(0, shownDead), deadCount: dead.length };
}

async function readWorkers({ query: run }: PostgresDatabase) {
  const rows = await run<{ facts: string; silent_ms: string }>(
    `SELECT facts, extract(epoch FROM clock_timestamp() - seen) * 1000 AS silent_ms FROM workers
      WHERE seen > clock_timestamp() - interval '${silentMs} milliseconds' ORDER BY facts`,
  );
  return rows.map(({ facts, silent_ms: ms }) => {
    return { ...(JSON.parse(facts) as WorkerFacts), silentMs: Math.max(0, Math.round(Number(ms))) };
  });
}

/** By pack: runs waiting for a worker, due later, and being played. */
async function readQueues({ address, query: run }: PostgresDatabase) {
  const rows = await run<QueueRow>(
    `SELECT substr(name, 5) AS pack,
        count(*) FILTER (WHERE state < 'active' AND start_after <= now()) AS ready,
        count(*) FILTER (WHERE state < 'active' AND start_after > now()) AS later,
        count(*) FILTER (WHERE state = 'active') AS playing,
        extract(epoch FROM now() - min(start_after) FILTER (WHERE state < 'active' AND start_after <= now())) AS oldest_s
      FROM ${queueSchema(address)}.job WHERE name <> $1 AND state < 'completed' GROUP BY name ORDER BY name`,
    [deadQueue],
  );
  return rows.map(({ pack, ready, later, playing, oldest_s: oldest }) => ({
    pack,
    ready: Number(ready),
    later: Number(later),
    playing: Number(playing),
    oldestSeconds: oldest === null ? null : Math.round(Number(oldest)),
  }));
}

/** Usage and limits; null means unlimited. */
async function readBudgets({ query: run }: PostgresDatabase) {
  type Row = Record<"calls" | "tokens" | "nano_usd", number> &
    Record<"max_calls" | "max_tokens" | "max_nano_usd", number | null>;
  const rows = await run<Row & { name: string }>(
    `SELECT * FROM spend WHERE (max_calls IS NOT NULL OR max_tokens IS NOT NULL OR max_nano_usd IS NOT NULL)
        AND name <> $1 AND (name NOT LIKE $1 || ' %' OR name = $1 || to_char(clock_timestamp() AT TIME ZONE 'UTC', ' YYYY-MM-DD'))
      ORDER BY name`,
    [dayBudget],
  );
  return rows.map((row) => ({
    name: row.name,
    calls: { used: row.calls, most: row.max_calls },
    tokens: { used: row.tokens, most: row.max_tokens },
    usd: { used: row.nano_usd / 1e9, most: row.max_nano_usd === null ? null : row.max_nano_usd / 1e9 },
  }));
}

type WorkerFacts = { host: string; pid: number; packs: readonly string[]; concurrency: number; playing: number };

type RollCall = { answer(facts: WorkerFacts): Promise<void>; leave(): Promise<void> };

/** Workers silent for this long are not counted. */
export const silentMs = 15_000;

export function createRollCall({ query: run }: PostgresDatabase): RollCall {
  const own = randomInt(2 ** 47);
  return {
    async answer(facts) {
      await run(
        `INSERT INTO workers (id, facts, seen) VALUES ($1, $2, clock_timestamp())
          ON CONFLICT (id) DO UPDATE SET facts = excluded.facts, seen = excluded.seen`,
        [own, JSON.stringify(facts)],
      );
    },
    async leave() {
      await run("DELETE FROM workers WHERE id = $1 OR seen < clock_timestamp() - interval '1 day'", [own]);
    },
  };
}
