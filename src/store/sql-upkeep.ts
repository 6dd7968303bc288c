import type { EntryBody } from "../contract/journal.ts";
import { ManifestSchema } from "../contract/run.ts";
import { sha256 } from "../engine/hash.ts";
import { type Connection, type Database, inStretches, listOf, rawSql, type Sql, sql } from "./database.ts";
import { createLockedError, describeThisProcess, judgeLease, selectLeases } from "./lease.ts";
import { type BlockRow, type EntryRow, type LeaseRow, toHex, unpack } from "./tables.ts";

type Wanted = { caseId: string } | { text: string };

type Cleaned = { left: string | null };

export type Upkeep = {
  find(wanted: Wanted): Promise<string[]>;
  remove(ids: readonly string[]): Promise<Cleaned>;
  /**
   * Erases the text of runs. Each entry becomes a tombstone with its hash and place in the chain, so it can still be
   * shown that nothing was removed or inserted.
   */
  erase(ids: readonly string[], at: string): Promise<Cleaned>;
  close(): Promise<void>;
};

export function createUpkeep(database: Database): Upkeep {
  const explain = (error: unknown): never => {
    throw database.explain(error);
  };
  const change = async (ids: readonly string[], work: (tx: Connection, id: string) => Promise<void>) => {
    database.noteRemoval?.();
    for (const some of inStretches(ids, 50))
      await database.transaction(async (tx) => {
        await requireUnheld(database, tx, some);
        for (const id of some) {
          await tx.run(database.removeWords(id));
          await tx.run(sql`DELETE FROM inbox WHERE run = ${id}`);
          await work(tx, id);
        }
        await sweepBlocks(database, tx);
      });
    return { left: await database.clean() };
  };
  return {
    find: (wanted) => findRuns(database, wanted).catch(explain),
    remove: (ids) =>
      change(ids, async (tx, id) => {
        await tx.run(sql`DELETE FROM entry WHERE run = ${id}`);
        await tx.run(sql`DELETE FROM lease WHERE run = ${id}`);
        await tx.run(sql`DELETE FROM run WHERE id = ${id}`);
      }).catch(explain),
    erase: (ids, at) => change(ids, (tx, id) => eraseRun(tx, id, at)).catch(explain),
    close: () => database.close(),
  };
}

/** Throws when a run is held; none can be taken before the transaction ends. */
async function requireUnheld(database: Database, tx: Connection, ids: readonly string[]): Promise<void> {
  await tx.run(sql`UPDATE lease SET tries = 0 WHERE run IN ${listOf(ids)}`);
  const rows = await tx.all<LeaseRow>(
    sql`${selectLeases(database)} WHERE holder IS NOT NULL AND run IN ${listOf(ids)} ORDER BY run`,
  );
  for (const row of rows) {
    const { state, holder, leftMs } = judgeLease(row, describeThisProcess(), database);
    if (state === "held") throw createLockedError(row.run, holder, leftMs);
  }
}

/** The higher epoch shuts out anyone who still believes they hold the run. */
async function eraseRun(tx: Connection, id: string, at: string): Promise<void> {
  const entries = await tx.all<EntryRow>(sql`SELECT seq, hash, body FROM entry WHERE run = ${id} ORDER BY seq`);
  for (const { seq, body } of entries) {
    const { kind } = JSON.parse(unpack(body)) as EntryBody;
    const tombstone: EntryBody = { kind: "erased", was: kind, at };
    if (kind !== "erased")
      await tx.run(
        sql`UPDATE entry SET body = ${JSON.stringify(tombstone)}, blocks = NULL, texts = NULL WHERE run = ${id} AND seq = ${seq}`,
      );
  }
  const [row] = await tx.all<{ manifest: string }>(sql`SELECT manifest FROM run WHERE id = ${id}`);
  if (!row) return;
  await tx.run(
    sql`UPDATE run SET manifest = ${emptyManifest(row.manifest)}, case_id = NULL, batch = NULL, key = ${`erased ${id}`},
      status = 'finished', outcome = CASE outcome WHEN 'escalated' THEN NULL ELSE outcome END WHERE id = ${id}`,
  );
  await tx.run(sql`UPDATE lease SET holder = NULL, epoch = epoch + 1 WHERE run = ${id}`);
}

function emptyManifest(text: string): string {
  const manifest = ManifestSchema.parse(JSON.parse(text));
  return JSON.stringify({ ...manifest, input: null, given: {}, config: {}, parent: null, challenge: undefined });
}

async function sweepBlocks({ lockBlocks, usedBlocks }: Database, tx: Connection): Promise<void> {
  if (lockBlocks) await tx.run(lockBlocks);
  await tx.run(
    sql`DELETE FROM block WHERE NOT EXISTS (SELECT 1 FROM (${usedBlocks}) AS used WHERE used.block = block.id)`,
  );
}

async function findRuns(database: Database, wanted: Wanted): Promise<string[]> {
  const rows = await database.all<{ id: string }>(
    "caseId" in wanted
      ? sql`SELECT id FROM run WHERE case_id = ${wanted.caseId} ORDER BY place`
      : findText(database, wanted.text),
  );
  return rows.map(({ id }) => id);
}

/** Text is escaped once inside stored JSON, and twice where a model's text is nested in it. */
function findText(database: Database, text: string): Sql {
  const once = JSON.stringify(text).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const holds = (column: string): Sql =>
    sql`(${database.contains(rawSql(column), once)} OR ${database.contains(rawSql(column), twice)})`;
  return sql`SELECT id FROM run WHERE ${holds("manifest")} OR ${holds("coalesce(case_id, '')")}
      OR id IN (SELECT run FROM entry WHERE ${holds("body")} OR ${holds("coalesce(texts, '')")})
      OR id IN (SELECT run FROM (${database.usedBlocks}) AS used WHERE block IN (SELECT id FROM block WHERE ${holds("text")}))
    ORDER BY place`;
}

const mostProblems = 10;
const biteSize = 2_000;

export async function findProblems(database: Database): Promise<string[]> {
  const orphans: string[] = [];
  for (const [table, what] of [
    ["lease", "progress is"],
    ["entry", "entries are"],
  ] as const) {
    const rows = await database.all<{ run: string }>(
      rawSql(`SELECT DISTINCT run FROM ${table} WHERE run NOT IN (SELECT id FROM run) LIMIT ${mostProblems}`),
    );
    orphans.push(...rows.map(({ run }) => `run ${run} is gone, but its ${what} still there`));
  }
  const found = [...(await database.listDamage()), ...orphans, ...(await checkBlocks(database))];
  return found.slice(0, mostProblems);
}

async function checkBlocks(database: Database): Promise<string[]> {
  const problems: string[] = [];
  for (let last = 0; problems.length < mostProblems; ) {
    const rows = await database.all<BlockRow>(
      sql`SELECT id, hash, text FROM block WHERE id > ${last} ORDER BY id LIMIT ${biteSize}`,
    );
    for (const row of rows)
      if (!isSound(row)) problems.push(`block ${row.id} of the prompts was changed after it was stored`);
    last = rows.at(-1)?.id ?? 0;
    if (rows.length < biteSize) break;
  }
  return problems;
}

function isSound({ hash, text }: BlockRow): boolean {
  try {
    return sha256(JSON.parse(unpack(text)) as string) === toHex(hash);
  } catch {
    return false;
  }
}
