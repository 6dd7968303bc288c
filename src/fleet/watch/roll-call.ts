import { randomInt } from "node:crypto";
import type { PostgresDatabase } from "../../store/postgres.ts";

/** What a worker says of itself. */
export type WorkerFacts = { host: string; pid: number; packs: readonly string[]; concurrency: number; playing: number };

/** Says now and then that a worker is there. */
export type RollCall = { answer(facts: WorkerFacts): Promise<void>; leave(): Promise<void> };

/** A worker that has not answered for this long is not counted. */
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
