import { existsSync } from "node:fs";
import { DatabaseSync } from "../node-parts.ts";
import { ParleyError } from "../../contract/error.ts";
import { makePrivateFile } from "../make-folder.ts";
import { isWritable, openCopy, openReadable } from "./readable-database.ts";
import { schema, schemaVersion } from "./sqlite-schema.ts";
import { upgrades } from "./upgrade-layout.ts";
import { explainStoreError } from "../store-error.ts";

/** What a commit survives: the death of the process, or a loss of power as well. */
export type Durability = "process" | "power";

/**
 * Pages are small, since a commit writes whole ones and changes little; sizes
 * are for many debates at once (16 MB of cache, a checkpoint every 16 MB).
 */
const pragmas = `PRAGMA page_size = 1024; PRAGMA journal_mode = WAL;
  PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 16000;`;

export const defaultDurability: Durability = "process";

/** The longest that opening waits for another process; the thread is blocked for that time. */
const openingMs = 5_000;
/** How long one try of a read or a commit waits; between tries the event loop goes on. */
const tryMs = 100;

export type OpenOptions = { waitMs?: number; durability?: Durability };

/** An open store file; `close` also removes what was made only to read it. `unwritable` is why it can only be read. */
export type OpenDatabase = { database: DatabaseSync; close(): void; isReadOnly: boolean; unwritable?: unknown };

/**
 * Opens the file, making it and its tables if they are not there; one that cannot be written is opened to be read, and
 * one of an older layout then from a copy.
 */
export function openDatabase(file: string, { waitMs = openingMs, durability }: OpenOptions = {}): OpenDatabase {
  const isThere = file !== ":memory:" && existsSync(file);
  if (isThere && !isWritable(file)) return openCheckedReadable(file);
  if (file !== ":memory:") makePrivateFile(file);
  try {
    return openWritable(file, Math.min(waitMs, openingMs), durability);
  } catch (error) {
    if (!isThere || !hasNoRoom(error)) throw error;
    return { ...openCheckedReadable(file), unwritable: error };
  }
}

function openWritable(file: string, waitMs: number, durability: Durability = defaultDurability): OpenDatabase {
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    const layout = readStoreLayout(database, file);
    insist(waitMs, () => database.exec(pragmas));
    database.exec(`PRAGMA synchronous = ${durability === "power" ? "FULL" : "NORMAL"}`);
    if (layout !== schemaVersion) createTransactions(database)(() => makeTables(database, file));
    database.exec(`PRAGMA busy_timeout = ${tryMs}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return { database, isReadOnly: false, close: () => database.close() };
}

/** Tries again while another process does the same: SQLite does not wait by itself where both would change the kind of log. */
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

/** FULL, or no room for the log or its index: what is there can still be read. */
function hasNoRoom(error: unknown): boolean {
  return [13, 778, 4874].includes((error as { errcode?: number }).errcode ?? 0);
}

function openCheckedReadable(file: string): OpenDatabase {
  const opened = openReadable(file);
  try {
    const layout = readStoreLayout(opened.database, file);
    if (layout === schemaVersion) return { ...opened, isReadOnly: true };
    if (layout === 0)
      throw new ParleyError(
        "store_failed",
        `the store ${file} is empty and read-only; give another place with --store`,
      );
  } catch (error) {
    opened.close();
    throw error;
  }
  opened.close();
  const copy = openCopy(file, (database) => createTransactions(database)(() => makeTables(database, file)));
  return { ...copy, isReadOnly: true };
}

/** Makes the tables, or brings those of an older layout up to date; another process may have done it since. */
function makeTables(database: DatabaseSync, file: string): void {
  const layout = readStoreLayout(database, file);
  if (layout === schemaVersion) return;
  if (layout === 0) database.exec(schema);
  else for (let from = layout; from < schemaVersion; from += 1) upgrades[from]?.(database);
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
}

/** The layout of the file, 0 when it has none; one that this Parley does not know is an error. */
function readStoreLayout(database: DatabaseSync, file: string): number {
  const version = readVersion(database) || rejectForeign(database, file);
  if (version === 0 || version === schemaVersion || Object.hasOwn(upgrades, version)) return version;
  throw new ParleyError(
    "corrupt_store",
    `${file} was written by ${version > schemaVersion ? "a newer" : "an older"} Parley (layout ${version}, this one knows ${schemaVersion}); give another place with --store`,
  );
}

function readVersion(database: DatabaseSync): number {
  return (database.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

/** A database that another program made must not be written to; the layout of one that another Parley has just made. */
function rejectForeign(database: DatabaseSync, file: string): number {
  const table = database.prepare("SELECT name FROM sqlite_schema LIMIT 1").get() as { name: string } | undefined;
  const version = table ? readVersion(database) : 0;
  if (table && version === 0)
    throw new ParleyError(
      "corrupt_store",
      `${file} is a database of another program (it has "${table.name}"); give another place with --store`,
    );
  return version;
}

/** Runs work as one transaction; a failure undoes all of it, of which `onUndone` is told. */
export type InTransaction = (work: () => void, onUndone?: () => void) => void;

export function createTransactions(database: DatabaseSync): InTransaction {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  return (work, onUndone) => {
    begin.run();
    try {
      work();
      commit.run();
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      onUndone?.();
      throw error;
    }
  };
}

/** Runs `work`; a failure of the store is put into words. */
export function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw explainStoreError(file, error);
  }
}
