import pg from "pg";
import { ParleyError } from "../../contract/error.ts";
import { type Address, readAddress } from "./address.ts";
import type { Database } from "./database.ts";
import { limitFunctions } from "./limit-functions.ts";
import { inboxTable } from "./postgres-inbox.ts";
import { explainPostgresError } from "./postgres-error.ts";
import { purseFunctions } from "./purse-functions.ts";
import { tables } from "./tables.ts";
import { writeFunction } from "./write-function.ts";

/** What brings a store from the layout before to each one; a step that was released never changes. */
const steps: readonly string[] = [tables + writeFunction + limitFunctions + purseFunctions, inboxTable + writeFunction];

/** The layout that this Parley reads and writes. */
export const layoutVersion = steps.length;

/** Brings the layout of a store up to date, as one transaction; says from which version to which. Two at once wait for each other. */
export async function migrateStore(text: string): Promise<{ from: number; to: number }> {
  const address = readAddress(text);
  const client = new pg.Client({ connectionString: address.connection });
  try {
    await client.connect();
    return await migrate(client, address);
  } catch (error) {
    throw explainPostgresError(address.location, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function migrate(client: pg.Client, { schema, location }: Address): Promise<{ from: number; to: number }> {
  await client.query("BEGIN");
  await client.query("SELECT pg_advisory_xact_lock(hashtext($1))", [`parley ${schema}`]);
  if ((await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema])).rowCount === 0)
    await client.query(`CREATE SCHEMA "${schema}"`);
  await client.query(`SET LOCAL search_path = "${schema}"`);
  await client.query(
    "CREATE TABLE IF NOT EXISTS layout (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())",
  );
  const { rows } = await client.query<{ version: number }>("SELECT coalesce(max(version), 0) AS version FROM layout");
  const from = rows[0]?.version ?? 0;
  if (from > layoutVersion) throw createNewerError(location, from);
  for (const [index, step] of steps.entries())
    if (index >= from) {
      await client.query(step);
      await client.query("INSERT INTO layout (version) VALUES ($1)", [index + 1]);
    }
  await client.query("COMMIT");
  return { from, to: layoutVersion };
}

/** Refuses a store whose layout is not the one that this Parley knows. */
export async function requireLayout(database: Database): Promise<void> {
  const { location } = database.address;
  const version = await readLayout(database);
  if (version > layoutVersion) throw createNewerError(location, version);
  if (version < layoutVersion)
    throw new ParleyError(
      "store_failed",
      `the store ${location} ${version === 0 ? "is not laid out yet" : `has layout ${version}, and this Parley needs ${layoutVersion}`}; whoever owns the database runs: parley store init`,
    );
}

async function readLayout(database: Database): Promise<number> {
  const [there] = await database.run<{ is_there: boolean }>("SELECT to_regclass('layout') IS NOT NULL AS is_there");
  if (!there?.is_there) return 0;
  const [row] = await database.run<{ version: number }>("SELECT coalesce(max(version), 0) AS version FROM layout");
  return row?.version ?? 0;
}

function createNewerError(location: string, version: number): ParleyError {
  return new ParleyError(
    "corrupt_store",
    `the store ${location} was laid out by a newer Parley (layout ${version}, this one knows ${layoutVersion}); use that one`,
  );
}
