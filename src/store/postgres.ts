import pg from "pg";
import { ParleyError } from "../contract/error.ts";
import { type Connection, type Database, rawSql, type Sql, sql, Patience, type PatienceOptions } from "./database.ts";
import { type Address, readAddress, type Store, explainPostgresError } from "./store.ts";
import { layoutVersion, listWords, tablesOf } from "./tables.ts";
import { type SqlOptions, sqlStore } from "./sql.ts";

const sharedLeaseMs = 15_000;

export type PostgresOptions = PatienceOptions & { connections?: number; leaseMs?: number };

/** Opens the store in a PostgreSQL schema; other layouts are refused. */
export async function postgresStore(address: string, options: SqlOptions & PostgresOptions = {}): Promise<Store> {
  return openStoreOn(openPostgres(address, options), options);
}

export async function openStoreOn(database: PostgresDatabase, options: SqlOptions = {}): Promise<Store> {
  try {
    await database.persist(() => database.requireLayout());
  } catch (error) {
    await database.close();
    throw error;
  }
  return sqlStore(database, options);
}

export function openPostgres(address: string, options: PostgresOptions = {}): PostgresDatabase {
  return new PostgresDatabase(readAddress(address), options);
}

export class PostgresDatabase implements Database {
  readonly address: Address;
  readonly location: string;
  readonly pool: pg.Pool;
  readonly isReadOnly = false;
  readonly hasClock = true;
  readonly leaseMs: number;
  readonly lockBlocks = rawSql("LOCK TABLE block IN EXCLUSIVE MODE");
  readonly keepBlocks = rawSql("FOR KEY SHARE");
  readonly usedBlocks = rawSql(
    "SELECT run, CASE WHEN value NOT LIKE '[%' THEN value::bigint END AS block FROM entry CROSS JOIN LATERAL json_array_elements_text(blocks::json) AS one (value)",
  );

  readonly query = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> => {
    try {
      return (await this.pool.query<Row>(text, [...values])).rows;
    } catch (error) {
      throw this.explain(error);
    }
  };
  readonly persist = <T>(work: () => Promise<T>): Promise<T> =>
    this.#patience.persist(() => work().catch((error: unknown) => Promise.reject(this.explain(error))));
  readonly #patience: Patience;

  constructor(address: Address, { connections = 6, leaseMs = sharedLeaseMs, ...patience }: PostgresOptions) {
    this.#patience = new Patience(patience);
    this.address = address;
    this.location = address.location;
    this.leaseMs = leaseMs;
    this.pool = openPool(address, connections);
  }

  async all<Row>(query: Sql): Promise<Row[]> {
    return (await this.#query<Row>(this.pool, query)).rows;
  }

  async run(query: Sql): Promise<number> {
    return (await this.#query(this.pool, query)).rowCount ?? 0;
  }

  async transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query("BEGIN");
      const value = await work({
        all: async <Row>(query: Sql) => (await this.#query<Row>(client, query)).rows,
        run: async (query) => (await this.#query(client, query)).rowCount ?? 0,
      });
      await client.query("COMMIT");
      return value;
    } catch (error) {
      await client.query("ROLLBACK").catch((cause: Error) => (broken = cause));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  now(): Sql {
    return rawSql("floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint");
  }

  contains(column: Sql, text: string): Sql {
    return sql`strpos(${column}, ${text}) > 0`;
  }

  pack(text: string): string {
    return text;
  }

  lockKey(key: string): Sql {
    return sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  }

  addWords(run: string, part: number, text: string): Sql {
    const words = [...new Set(listWords(text).map(fold))];
    return sql`INSERT INTO search (place, part, words)
      SELECT place, ${part}::integer, array_to_tsvector(${words}::text[]) FROM run WHERE id = ${run} ON CONFLICT DO NOTHING`;
  }

  hasWords(words: readonly string[]): Sql {
    const asked = words.map((word) => `'${fold(word)}':*`).join(" & ");
    return sql`place IN (SELECT place FROM search WHERE words @@ ${asked}::tsquery)`;
  }

  removeWords(run: string): Sql {
    return sql`DELETE FROM search WHERE place = (SELECT place FROM run WHERE id = ${run})`;
  }

  async listDamage(): Promise<string[]> {
    return [];
  }

  async clean(): Promise<string> {
    await this.run(rawSql("VACUUM run, lease, entry, block, search, inbox"));
    return "The database keeps the space until it uses it again (VACUUM FULL gives it back), and its log, replicas and backups hold what they held.";
  }

  explain(error: unknown): unknown {
    return explainPostgresError(this.location, error);
  }

  async requireLayout(): Promise<void> {
    const version = await this.#readLayout();
    if (version > layoutVersion) throw createNewerError(this.location, version);
    if (version < layoutVersion)
      throw new ParleyError(
        "store_failed",
        `the store ${this.location} ${version === 0 ? "has no tables yet" : `has layout ${version}, and this Parley needs ${layoutVersion}`}; whoever owns the database runs: parley store init`,
      );
  }

  async #readLayout(): Promise<number> {
    const [there] = await this.all<{ is_there: boolean }>(
      rawSql("SELECT to_regclass('layout') IS NOT NULL AS is_there"),
    );
    const [row] = there?.is_there ? await this.all<{ version: number }>(readVersion) : [];
    return row?.version ?? 0;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }

  #query<Row>(client: Pick<pg.Pool | pg.PoolClient, "query">, query: Sql): Promise<pg.QueryResult<Row & object>> {
    return client.query<Row & object>(
      query.render((number) => `$${number}`),
      [...query.values],
    );
  }
}

function fold(word: string): string {
  const plain = word
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .normalize("NFC");
  return plain.slice(0, 200).toWellFormed();
}

/** Reads int8 as numbers: none here exceeds the safe range. */
const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === 20 ? Number : (pg.types.getTypeParser(oid, format) as (text: string) => unknown),
};

function openPool({ connection, schema }: Address, connections: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: connection,
    options: `-c search_path=${schema}`,
    application_name: "parley",
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    types,
  });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

const readVersion = rawSql("SELECT coalesce(max(version), 0) AS version FROM layout");

const columns = { serial: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY", text: 'text COLLATE "C"', bytes: "bytea" };
const ownTables = `ALTER TABLE lease SET (fillfactor = 70);
CREATE TABLE search (place bigint NOT NULL, part integer NOT NULL, words tsvector NOT NULL, PRIMARY KEY (place, part));
CREATE INDEX search_by_words ON search USING gin (words) WITH (fastupdate = off);
CREATE TABLE layout (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
`;

/** Creates the tables of a store, and those of `more`, in one transaction; returns the layout before and after. Concurrent calls wait for each other. */
export async function migrateStore(text: string, more = ""): Promise<{ from: number; to: number }> {
  const address = readAddress(text);
  const client = new pg.Client({ connectionString: address.connection });
  try {
    await client.connect();
    return await layOut(client, address, more);
  } catch (error) {
    throw explainPostgresError(address.location, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function layOut(client: pg.Client, { schema, location }: Address, more: string) {
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`parley ${schema}`]);
  if ((await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])).rowCount === 0)
    await client.query(`CREATE SCHEMA "${schema}"`);
  await client.query(`SET LOCAL search_path = "${schema}"`);
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('layout') IS NOT NULL AS there");
  const from = rows[0]?.there
    ? ((await client.query<{ version: number }>(readVersion.render(String))).rows[0]?.version ?? 0)
    : 0;
  if (from > layoutVersion) throw createNewerError(location, from);
  if (from > 0 && from < layoutVersion)
    throw new ParleyError(
      "store_failed",
      `the store ${location} was created by an older Parley (layout ${from}, this one knows ${layoutVersion}); give another schema with ?schema=NAME`,
    );
  if (from === 0) {
    await client.query(`${tablesOf(columns)} ${ownTables} ${more}`);
    await client.query("INSERT INTO layout (version) VALUES ($1)", [layoutVersion]);
  }
  await client.query("COMMIT");
  return { from, to: layoutVersion };
}

function createNewerError(location: string, version: number): ParleyError {
  return new ParleyError(
    "corrupt_store",
    `the store ${location} was created by a newer Parley (layout ${version}, this one knows ${layoutVersion}); use that one`,
  );
}
