import { accessSync, constants, existsSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { ParleyError } from "../contract/error.ts";
import { makePrivateFile, sqlite } from "./replace-file.ts";
import { layoutVersion, tablesOf } from "./tables.ts";

export type SqliteOptions = {
  waitMs?: number;
  durability?: "process" | "power" | undefined;
  /** Clock for the leases of processes that cannot be looked up. */
  nowMs?(): number;
};

/** An open store file; `unwritable` is the reason it can only be read. */
export type OpenFile = { database: DatabaseSync; isReadOnly: boolean; unwritable?: unknown };

const pragmas = `PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA cache_size = -16000;
  PRAGMA wal_autocheckpoint = 4000;`;

const tables = `${tablesOf({ serial: "INTEGER PRIMARY KEY", text: "text", bytes: "blob" })}
CREATE VIRTUAL TABLE search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2'
);`;

/** The longest that opening blocks the thread while another process holds the file. */
const openingMs = 5_000;
const tryMs = 100;

export function openFile(file: string, { waitMs = openingMs, durability }: SqliteOptions): OpenFile {
  const isThere = file !== ":memory:" && existsSync(file);
  if (isThere && !isWritable(file)) return openToRead(file);
  if (file !== ":memory:") makePrivateFile(file);
  try {
    return openToWrite(file, Math.min(waitMs, openingMs), durability);
  } catch (error) {
    if (!isThere || !noRoom.includes((error as { errcode?: number }).errcode ?? 0)) throw error;
    return { ...openToRead(file), unwritable: error };
  }
}

/** Result codes for a full disk, or no room for the log or its index. */
const noRoom = [13, 778, 4874];

function openToWrite(file: string, waitMs: number, durability: SqliteOptions["durability"]): OpenFile {
  const database = new sqlite.DatabaseSync(file, { timeout: waitMs });
  try {
    const layout = readLayout(database, file);
    insist(waitMs, () => database.exec(pragmas));
    database.exec(`PRAGMA synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`);
    if (layout === 0) makeTables(database, file);
    database.exec(`PRAGMA busy_timeout = ${tryMs}`);
    database.prepare("SELECT 1 FROM run, lease, entry, block, inbox, session, spend, search, vector LIMIT 0").get();
  } catch (error) {
    database.close();
    throw error;
  }
  return { database, isReadOnly: false };
}

/** Another process may have created the tables meanwhile. */
function makeTables(database: DatabaseSync, file: string): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    if (readLayout(database, file) === 0) database.exec(`${tables} PRAGMA user_version = ${layoutVersion}`);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Retries while another process does the same: SQLite does not wait where both would change the journal mode. */
function insist(waitMs: number, work: () => void): void {
  const endMs = performance.now() + waitMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== 5 || performance.now() > endMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}

function readLayout(database: DatabaseSync, file: string): number {
  const version = readVersion(database);
  const table = database.prepare("SELECT name FROM sqlite_schema LIMIT 1").get() as { name: string } | undefined;
  const known = version === 0 && table ? readVersion(database) : version;
  if (known === layoutVersion || (known === 0 && !table)) return known;
  throw new ParleyError(
    "corrupt_store",
    known === 0
      ? `${file} is a database of another program (it has "${table?.name}"); give another place with --store`
      : `${file} was written by ${known > layoutVersion ? "a newer" : "an older"} Parley (layout ${known}, this one knows ${layoutVersion}); give another place with --store`,
  );
}

function readVersion(database: DatabaseSync): number {
  return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a store file that cannot be written. A properly closed one is a single file; one with a live writer is read
 * along with it. The log of a dead writer can be read only where SQLite may write.
 */
function openToRead(file: string): OpenFile {
  const sizeOf = (part: string): number => statSync(`${file}${part}`, { throwIfNoEntry: false })?.size ?? 0;
  const isClosed = sizeOf("-wal") === 0 && sizeOf("-shm") < leastIndex;
  const url = pathToFileURL(file);
  if (isClosed) url.searchParams.set("immutable", "1");
  const database = new sqlite.DatabaseSync(url, { readOnly: true, timeout: 1_000 });
  try {
    if (readLayout(database, file) === layoutVersion) return { database, isReadOnly: true };
    throw new ParleyError("store_failed", `the store ${file} is empty and read-only; give another place with --store`);
  } catch (cause) {
    database.close();
    if (isClosed || cause instanceof ParleyError) throw cause;
    const text = `the store ${file} was not closed properly and is read-only; copy its folder to a place that can be written`;
    throw new ParleyError("store_failed", text, { cause });
  }
}

/** The step in which SQLite's log index grows; a smaller index was cut short by a full disk. */
const leastIndex = 32_768;
