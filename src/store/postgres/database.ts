import { setTimeout as pause } from "node:timers/promises";
import { CompiledQuery, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { createPatience, type Patience, type PatienceOptions, retryMs } from "../patience.ts";
import { type Address, readAddress } from "./address.ts";
import { explainPostgresError } from "./postgres-error.ts";

/** The tables that are queried through the query builder. */
export type Tables = {
  runs: {
    id: string;
    place: string;
    manifest: string;
    pack: string | null;
    case_id: string | null;
    key: string;
    batch: string | null;
    created_at: string;
  };
  progress: {
    run_id: string;
    place: string;
    status: string;
    outcome: string | null;
    head_hash: string;
    entry_count: number;
    epoch: number;
    holder: string | null;
  };
  entries: { run_id: string; seq: number; prev: string; hash: string; body: string; pieces: string };
  instructions: { hash: string; text: string };
  search: { run_id: string; seq: number; words: string };
};

/** A connection pool to one schema of a database; failures are put into words. */
export type Database = {
  address: Address;
  patience: Patience;
  query: Kysely<Tables>;
  /** Runs one statement once and gives its rows. */
  run<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Does work that may be done again, and waits for trouble that passes. */
  persist<T>(work: () => Promise<T>): Promise<T>;
  /** The driver's own pool, for who brings statements of their own. */
  pool: pg.Pool;
  close(): Promise<void>;
};

export type DatabaseOptions = PatienceOptions & { connections?: number };

/** Opens a pool; nothing is connected before the first query. */
export function openDatabase(text: string, options: DatabaseOptions = {}): Database {
  const address = readAddress(text);
  const pool = openPool(address, options.connections ?? 6);
  const query = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const patience = createPatience(options);
  return {
    address,
    patience,
    query,
    pool,
    async run<Row>(sql: string, values: readonly unknown[] = []) {
      try {
        return (await query.executeQuery<Row>(CompiledQuery.raw(sql, [...values]))).rows;
      } catch (error) {
        throw explainPostgresError(address.location, error);
      }
    },
    async persist(work) {
      for (;;)
        try {
          const value = await work();
          patience.succeeded();
          return value;
        } catch (cause) {
          const error = explainPostgresError(address.location, cause);
          if (!patience.isWorthWaiting(error)) throw error;
          await pause(retryMs);
        }
    },
    close: () => query.destroy(),
  };
}

function openPool({ connection, schema }: Address, connections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: connection,
    options: `-c search_path=${schema}`,
    application_name: "parley",
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // A connection that breaks is replaced, and who uses it hears of it from the query: nobody else needs to.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
