import type { PoolClient } from "pg";
import { createLockedError } from "../lease.ts";
import type { Holder } from "../process-life.ts";
import type { StoredEntry } from "../sqlite/sqlite-chunks.ts";
import { buryEntry, type Cleaned, emptyManifest, type Upkeep, writeStoredForms } from "../upkeep/upkeep.ts";
import type { Database } from "./database.ts";
import { requireLayout } from "./layout.ts";
import { explainPostgresError } from "./postgres-error.ts";

/** Where something of what was deleted may be that no statement reaches. */
const elsewhere =
  "The database keeps the space until it uses it again (VACUUM FULL gives it back), and its log, replicas and backups hold what they held.";

/** Looks after a shared store, a few runs in a transaction. */
export async function postgresUpkeep(database: Database): Promise<Upkeep> {
  await requireLayout(database);
  const change = async (ids: readonly string[], work: (client: PoolClient, some: string[]) => Promise<void>) => {
    for (let at = 0; at < ids.length; at += 50) {
      const some = ids.slice(at, at + 50);
      await inTransaction(database, async (client) => {
        await requireUnheld(client, some);
        await work(client, some);
      });
    }
    await vacuum(database);
    return { left: elsewhere } satisfies Cleaned;
  };
  return {
    async find(wanted) {
      const [sql, values] =
        "caseId" in wanted
          ? ["SELECT id FROM runs WHERE case_id = $1 ORDER BY place", [wanted.caseId]]
          : [findText, writeStoredForms(wanted.text)];
      return (await database.persist(() => database.run<{ id: string }>(sql, values))).map(({ id }) => id);
    },
    remove: (ids) =>
      change(ids, async (client, some) => {
        for (const [table, id] of [...partsOfRuns, ["progress", "run_id"], ["entries", "run_id"], ["runs", "id"]])
          await client.query(`DELETE FROM ${table} WHERE ${id} = ANY($1)`, [some]);
      }),
    erase: (ids, at) =>
      change(ids, async (client, some) => {
        for (const [table, id] of partsOfRuns) await client.query(`DELETE FROM ${table} WHERE ${id} = ANY($1)`, [some]);
        for (const id of some) await eraseRun(client, id, at);
      }),
    close: database.close,
  };
}

/** What is kept of runs beside their journals. */
const partsOfRuns = [
  ["search", "run_id"],
  ["inbox", "run"],
] as const;

const findText = `SELECT id FROM runs WHERE strpos(manifest, $1) > 0 OR strpos(coalesce(case_id, ''), $1) > 0 OR EXISTS (
    SELECT 1 FROM entries WHERE run_id = id AND
      (strpos(body, $1) > 0 OR strpos(body, $2) > 0 OR strpos(pieces, $1) > 0 OR strpos(pieces, $2) > 0)
  ) ORDER BY place`;

async function eraseRun(client: PoolClient, id: string, at: string): Promise<void> {
  const { rows } = await client.query<StoredEntry>(
    "SELECT seq, prev, hash, body, pieces FROM entries WHERE run_id = $1 ORDER BY seq",
    [id],
  );
  const buried = rows.map((entry) => buryEntry(entry, at));
  await client.query(
    `UPDATE entries SET body = new.body, pieces = new.pieces
      FROM unnest($2::integer[], $3::text[], $4::text[]) AS new (seq, body, pieces)
      WHERE run_id = $1 AND entries.seq = new.seq`,
    [id, buried.map(({ seq }) => seq), buried.map(({ body }) => body), buried.map(({ pieces }) => pieces)],
  );
  const found = await client.query<{ manifest: string }>("SELECT manifest FROM runs WHERE id = $1", [id]);
  for (const { manifest } of found.rows)
    await client.query("UPDATE runs SET manifest = $2, case_id = NULL, batch = NULL, key = $3 WHERE id = $1", [
      id,
      emptyManifest(manifest),
      `erased ${id}`,
    ]);
  // A later epoch keeps out whoever still thinks that the run is theirs.
  await client.query(
    `UPDATE progress SET status = 'finished', holder = NULL, epoch = epoch + 1,
      outcome = CASE outcome WHEN 'escalated' THEN NULL ELSE outcome END WHERE run_id = $1`,
    [id],
  );
}

type HeldRow = { run: string; facts: string; left_ms: string };

/** Throws when somebody has one of the runs; nobody can take one before the transaction ends. */
async function requireUnheld(client: PoolClient, ids: readonly string[]): Promise<void> {
  await client.query("SELECT 1 FROM progress WHERE run_id = ANY($1) ORDER BY run_id FOR UPDATE", [ids]);
  const { rows } = await client.query<HeldRow>(
    `SELECT run_id AS run, facts, ceil(extract(epoch FROM until - clock_timestamp()) * 1000) AS left_ms
      FROM progress JOIN holders ON holders.id = progress.holder
      WHERE run_id = ANY($1) AND until > clock_timestamp() LIMIT 1`,
    [ids],
  );
  const [held] = rows;
  if (held) throw createLockedError(held.run, JSON.parse(held.facts) as Holder, Number(held.left_ms));
}

async function inTransaction(database: Database, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const { pool, address } = database;
  try {
    const client = await pool.connect();
    try {
      await client.query("BEGIN");
      await work(client);
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK").catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  } catch (error) {
    throw explainPostgresError(address.location, error);
  }
}

/** Takes what was deleted out of the tables; a role that may not leaves it to the database's own rounds. */
async function vacuum({ run }: Database): Promise<void> {
  await run("VACUUM runs, progress, entries, search");
}
