import { randomInt } from "node:crypto";
import type { PostgresDatabase } from "../store/postgres.ts";
import { dayBudget } from "../store/store.ts";
import { deadQueue, type Queue, queueSchema } from "./queue.ts";

/** Usage and its limit; null means unlimited. */
type Share = { used: number; most: number | null };

export type FleetState = {
  workers: (WorkerFacts & { silentMs: number })[];
  /** By pack: runs waiting for a worker, due later, and being played. */
  queues: { pack: string; ready: number; later: number; playing: number; oldestSeconds: number | null }[];
  /** Counts of runs by outcome, or by status while they have not ended. */
  runs: { state: string; count: number }[];
  budgets: { name: string; calls: Share; tokens: Share; usd: Share }[];
  dead: { run: string; pack: string; reason: string; at: string }[];
  deadCount: number;
};

type Watched = { database: PostgresDatabase; queue: Queue };
type QueueRow = { pack: string; ready: string; later: string; playing: string; oldest_s: string | null };

const shownDead = 20;

export async function readFleet({ database, queue }: Watched): Promise<FleetState> {
  const [workers, queues, runs, budgets, dead] = await Promise.all([
    readWorkers(database),
    readQueues(database),
    readRuns(database),
    readBudgets(database),
    queue.listDead(),
  ]);
  return { workers, queues, runs, budgets, dead: dead.slice(0, shownDead), deadCount: dead.length };
}

async function readWorkers({ query: run }: PostgresDatabase): Promise<FleetState["workers"]> {
  const rows = await run<{ facts: string; silent_ms: string }>(
    `SELECT facts, extract(epoch FROM clock_timestamp() - seen) * 1000 AS silent_ms FROM workers
      WHERE seen > clock_timestamp() - interval '${silentMs} milliseconds' ORDER BY facts`,
  );
  return rows.map(({ facts, silent_ms: ms }) => {
    return { ...(JSON.parse(facts) as WorkerFacts), silentMs: Math.max(0, Math.round(Number(ms))) };
  });
}

async function readQueues({ address, query: run }: PostgresDatabase): Promise<FleetState["queues"]> {
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

async function readRuns({ query: run }: PostgresDatabase): Promise<FleetState["runs"]> {
  const rows = await run<{ state: string; count: string }>(
    "SELECT coalesce(outcome, status) AS state, count(*) AS count FROM run GROUP BY 1 ORDER BY 1",
  );
  return rows.map(({ state, count }) => ({ state, count: Number(count) }));
}

async function readBudgets({ query: run }: PostgresDatabase): Promise<FleetState["budgets"]> {
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
