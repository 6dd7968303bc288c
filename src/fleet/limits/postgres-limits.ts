import type { PostgresDatabase } from "../../store/postgres.ts";
import { type Grant, type LimitDesk, reachMs } from "./limit-desk.ts";

/** Counts calls in the database, on its clock. */
export function createPostgresLimits({ query: run, persist }: PostgresDatabase): LimitDesk {
  return {
    async take(name, { requestsPerMinute, tokensPerMinute }, wanted) {
      const limits = [requestsPerMinute, tokensPerMinute].map((most) => (most === Infinity ? null : most));
      const rows = await persist(() =>
        run<{ grant: Grant }>("SELECT take_calls($1, $2, $3, $4, $5) AS grant", [name, ...limits, reachMs, wanted]),
      );
      return rows[0]?.grant ?? { granted: 0, slot: 0, waitMs: 1_000 };
    },
    async giveBack(name, returns) {
      const column = (of: "slot" | "requests" | "tokens"): number[] => returns.map((one) => one[of]);
      await run("SELECT return_calls($1, $2, $3, $4)", [name, column("slot"), column("requests"), column("tokens")]);
    },
    async pause(name, ms) {
      await run("SELECT pause_calls($1, $2)", [name, Math.ceil(ms)]);
    },
  };
}
