import {
  accessSync,
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { ParleyError } from "../contract/error.ts";
import { makePrivateFile } from "./replace-file.ts";
import { layoutVersion, tablesOf, toHex } from "./tables.ts";

/** Looked up and not imported: an older Node could not even link the import. */
const sqlite = process.getBuiltinModule("node:sqlite");

export type Durability = "process" | "power";

export type SqliteOptions = {
  waitMs?: number;
  durability?: Durability;
  /** The time by which leases of processes that cannot be looked for are measured. */
  nowMs?(): number;
};

/** An open store file; `close` also removes what was made only to read it. `unwritable` is why it can only be read. */
export type OpenFile = { database: DatabaseSync; close(): void; isReadOnly: boolean; unwritable?: unknown };

const pragmas = `PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA cache_size = -16000;
  PRAGMA wal_autocheckpoint = 4000;`;

const tables = `${tablesOf({ serial: "INTEGER PRIMARY KEY", text: "text", bytes: "blob" })}
CREATE VIRTUAL TABLE search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2'
);`;

/** The longest that opening waits for another process; the thread is blocked for that time. */
const openingMs = 5_000;
/** How long one try of a read or a commit waits; between tries the event loop goes on. */
const tryMs = 100;

/** Opens the file to be written, or to be read where it cannot be. */
export function openFile(file: string, { waitMs = openingMs, durability }: SqliteOptions): OpenFile {
  const isThere = file !== ":memory:" && existsSync(file);
  if (isThere && !isWritable(file)) return openToRead(file);
  if (file !== ":memory:") makePrivateFile(file);
  try {
    return openToWrite(file, Math.min(waitMs, openingMs), durability ?? "process");
  } catch (error) {
    if (!isThere || !hasNoRoom(error)) throw error;
    return { ...openToRead(file), unwritable: error };
  }
}

function openToWrite(file: string, waitMs: number, durability: Durability): OpenFile {
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
  return { database, isReadOnly: false, close: () => database.close() };
}

/** Another process may have made the tables since. */
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

function openToRead(file: string): OpenFile {
  const opened = openReadable(file);
  try {
    if (readLayout(opened.database, file) === layoutVersion) return { ...opened, isReadOnly: true };
    throw new ParleyError("store_failed", `the store ${file} is empty and read-only; give another place with --store`);
  } catch (error) {
    opened.close();
    throw error;
  }
}

/** The layout of the file, 0 when it has none; one that this Parley does not know, or another program's, is an error. */
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

/** A database that is only read; `close` removes what was made to read it. */
type Readable = { database: DatabaseSync; close(): void };

/** True when this process may write the file and make others beside it, which SQLite needs. */
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
 * Opens a store file that cannot be written. One that was closed properly is all in one file. One whose writer still runs
 * is read along with it. What a dead writer left in its log can only be read from a copy where SQLite may write.
 */
export function openReadable(file: string): Readable {
  if (measureLogBytes(file) === 0 && !existsSync(`${file}-shm`)) return openImmutable(file);
  const database = new sqlite.DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  try {
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return opened(database);
  } catch (error) {
    database.close();
    const code = (error as { errcode?: number }).errcode ?? 0;
    if (!noPlaceForLog.has(code & 0xff)) throw error;
    return measureLogBytes(file) === 0 ? openImmutable(file) : openCopy(file);
  }
}

/** READONLY, IOERR, FULL and CANTOPEN: the log's index cannot be made. */
const noPlaceForLog = new Set([8, 10, 13, 14]);

function measureLogBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function openImmutable(file: string): Readable {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return opened(new sqlite.DatabaseSync(url, { readOnly: true }));
}

function openCopy(file: string): Readable {
  let folder = "";
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    folder = mkdtempSync(join(tmpdir(), "parley-read-"));
    const copy = join(folder, "parley.db");
    for (const part of ["", "-wal"])
      if (part === "" || existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`);
    chmodSync(copy, 0o600);
    const database = new sqlite.DatabaseSync(copy);
    database.exec("PRAGMA query_only = 1");
    process.once("exit", remove);
    return opened(database, () => {
      process.off("exit", remove);
      remove();
    });
  } catch (cause) {
    if (folder !== "") remove();
    throw new ParleyError(
      "store_failed",
      `the store ${file} was not closed properly and cannot be written, so it is read from a copy, and ${tmpdir()} has no place for one (${(cause as Error).message}); set TMPDIR to a folder with room`,
      { cause },
    );
  }
}

function opened(database: DatabaseSync, after = (): void => undefined): Readable {
  return {
    database,
    close() {
      database.close();
      after();
    },
  };
}

export type Mark = { run: string; seq: number; hash: string };

/**
 * A small file beside the store that says how far it has come. SQLite takes a log that was deleted or cut off for an earlier
 * moment of the store, whole and sound; only something outside of it can tell that there was more.
 */
export type Tally = { note(mark: Mark): void; close(): void };

export function locateTally(file: string): string {
  return `${file}-tally`;
}
const locateLosses = (file: string): string => `${file}-losses`;

/** Opens the tally when the first entry is noted. It is a witness: when it cannot be written, nothing else suffers. */
export function openTally(file: string): Tally {
  let handle: number | null | undefined = file === ":memory:" ? null : undefined;
  return {
    note({ run, seq, hash }) {
      if (handle === undefined) handle = openOrCreate(file);
      if (handle === null) return;
      try {
        writeSync(handle, `${seq} ${hash} ${run}`.padEnd(lineLength), 0);
      } catch {
        // A full disk is the store's to speak of.
      }
    },
    close() {
      if (typeof handle === "number") closeSync(handle);
      handle = null;
    },
  };
}

/** Longer than any mark, so that each overwrites the one before. */
const lineLength = 160;

function openOrCreate(file: string): number | null {
  try {
    return openSync(locateTally(file), constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch {
    return null;
  }
}

export function dropTally(file: string): void {
  rmSync(locateTally(file), { force: true });
}

/** What is missing from a store that had come as far as its tally says; null when nothing is. */
function findLoss(database: DatabaseSync, file: string): string | null {
  const [seq, hash, run] = readText(locateTally(file)).trimEnd().split(" ");
  if (run === undefined || hash === undefined) return null;
  const found = database.prepare("SELECT hash FROM entry WHERE run = ? AND seq = ?").get(run, Number(seq));
  if (found && toHex(found.hash as Uint8Array) === hash) return null;
  return found
    ? `what was written last, of run ${run}, was lost, and other things were written in its place`
    : `its last writes are missing, the newest of them of run ${run}: its log was deleted or cut off, or power was lost`;
}

/** Keeps what is found to be missing, so that it is known also after the store has gone on. */
export function recordLoss(database: DatabaseSync, file: string): void {
  const loss = findLoss(database, file);
  if (loss === null) return;
  appendFileSync(locateLosses(file), `${loss} (found ${new Date().toISOString()})\n`, { mode: 0o600 });
  dropTally(file);
}

export function listLosses(database: DatabaseSync, file: string): string[] {
  const known = readText(locateLosses(file)).split("\n");
  const loss = findLoss(database, file);
  return [...known.filter((line) => line !== ""), ...(loss === null ? [] : [loss])];
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
