import { existsSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import "../contract/require-node.ts";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { ParleyError } from "../contract/error.ts";
import { type Connection, type Database, rawSql, type Sql, sql } from "./database.ts";
import { leaseMs } from "./lease.ts";
import { makePrivateFile } from "./replace-file.ts";
import { isWritable, openReadable } from "./readable-file.ts";
import { type SqlOptions, sqlStore } from "./sql.ts";
import { createUpkeep, type Upkeep } from "./sql-upkeep.ts";
import type { Store } from "./store.ts";
import { explainStoreError } from "./store-error.ts";
import { layoutVersion, reviewBegins, type Stored, tablesOf, unpack } from "./tables.ts";
import { dropTally, listLosses, openTally, recordLoss } from "./tally.ts";

/** Looked up and not imported: an older Node could not even link the import. */
const sqlite = process.getBuiltinModule("node:sqlite");

/** What a commit survives: the death of the process, or a loss of power as well. */
export type Durability = "process" | "power";

export type SqliteOptions = {
  waitMs?: number;
  durability?: Durability;
  /** The time by which leases of processes that cannot be looked for are measured. */
  nowMs?(): number;
};

/** Opens the store in one SQLite file (`:memory:` for one that is forgotten), making it if it is not there; one that cannot be written can still be read. */
export function sqliteStore(file: string, options: SqlOptions & SqliteOptions = {}): Store {
  return sqlStore(openSqlite(file, options), options);
}

/** Opens a store file to remove or erase runs. */
export function fileUpkeep(file: string): Upkeep {
  if (!existsSync(file)) throw new ParleyError("bad_input", `there is no store in ${file}`);
  const database = openSqlite(file);
  if (!database.isReadOnly) return createUpkeep(database);
  void database.close();
  throw new ParleyError("store_failed", `the store ${file} is read-only; nothing was changed`);
}

/** Opens the file as a database of Parley's. */
export function openSqlite(file: string, options: SqliteOptions = {}): SqliteDatabase {
  try {
    const opened = openFile(file, options);
    try {
      return new SqliteDatabase(file, opened, options.nowMs ?? Date.now);
    } catch (error) {
      opened.close();
      throw error;
    }
  } catch (error) {
    throw explainStoreError(file, error);
  }
}

/** Shorter texts hardly become smaller. */
const packedFrom = 400;

/** Statements that are kept prepared; more would be ones that are never asked again. */
const mostStatements = 200;

/** One connection to a store file; whoever comes while a transaction is under way waits for its end. */
export class SqliteDatabase implements Database {
  readonly location: string;
  readonly isReadOnly: boolean;
  readonly hasClock = false;
  readonly leaseMs = leaseMs;
  readonly lockBlocks = null;
  readonly usedBlocks = rawSql("SELECT run, value AS block FROM entry, json_each(blocks)");
  readonly #opened: OpenFile;
  readonly #nowMs: () => number;
  readonly #tally: ReturnType<typeof openTally>;
  readonly #statements = new Map<string, StatementSync>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, opened: OpenFile, nowMs: () => number) {
    this.location = file;
    this.isReadOnly = opened.isReadOnly;
    this.#opened = opened;
    this.#nowMs = nowMs;
    this.#tally = openTally(file);
    opened.database.function("unpack", { deterministic: true }, (stored) => unpack(stored as Stored));
    if (!opened.isReadOnly) recordLoss(opened.database, file);
  }

  all<Row>(query: Sql): Promise<Row[]> {
    return this.#exclusively(() => this.#all<Row>(query));
  }

  run(query: Sql): Promise<number> {
    return this.#exclusively(() => this.#run(query));
  }

  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T> {
    const { database, unwritable } = this.#opened;
    const tx: Connection = { all: async (query) => this.#all(query), run: async (query) => this.#run(query) };
    return this.#exclusively(async () => {
      if (unwritable !== undefined) throw unwritable;
      this.#prepare("BEGIN IMMEDIATE").run();
      try {
        const value = await work(tx);
        this.#prepare("COMMIT").run();
        return value;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    });
  }

  now(callerMs?: number): Sql {
    return sql`${callerMs ?? this.#nowMs()}`;
  }

  contains(column: Sql, text: string): Sql {
    return sql`instr(unpack(${column}), ${text}) > 0`;
  }

  /** Reviews are looked for by how they begin. */
  pack(text: string): Stored {
    return text.length < packedFrom || text.startsWith(reviewBegins) ? text : deflateRawSync(text);
  }

  /** A transaction has the file for itself. */
  lockKey(): null {
    return null;
  }

  /** A row of the index is named by its run's place and the part of the run, so that all of a run's rows lie together. */
  addWords(run: string, part: number, text: string): Sql {
    return sql`INSERT OR REPLACE INTO search (rowid, text) SELECT (place << 20) | ${part}, ${text.toWellFormed()} FROM run WHERE id = ${run}`;
  }

  hasWords(words: readonly string[]): Sql {
    const asked = words.map((word) => `"${word}"*`).join(" ");
    return sql`place IN (SELECT rowid >> 20 FROM search WHERE search MATCH ${asked})`;
  }

  removeWords(run: string): Sql {
    return sql`DELETE FROM search WHERE rowid >= (SELECT place << 20 FROM run WHERE id = ${run})
      AND rowid < (SELECT (place + 1) << 20 FROM run WHERE id = ${run})`;
  }

  async listDamage(): Promise<string[]> {
    const found = await this.all<{ integrity_check: string }>(rawSql("PRAGMA integrity_check(10)"));
    const pages = found.map((row) => row.integrity_check).filter((message) => message !== "ok");
    const losses = await this.#exclusively(() => listLosses(this.#opened.database, this.location));
    return [...losses, ...pages.map((message) => `the file is damaged: ${message}`)];
  }

  /** Gives the space of what was deleted back; another process that has the store open keeps its log until it closes. */
  clean(): Promise<string | null> {
    const { database } = this.#opened;
    return this.#exclusively(() => {
      database.exec("INSERT INTO search (search) VALUES ('optimize'); VACUUM");
      return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0 ? null : inUse;
    });
  }

  noteEntry(run: string, seq: number, hash: string): void {
    this.#tally.note({ run, seq, hash });
  }

  /** What is deleted is overwritten; afterwards the store has come less far than the tally says. */
  noteRemoval(): void {
    dropTally(this.location);
    this.#opened.database.exec("PRAGMA secure_delete = ON");
  }

  explain(error: unknown): unknown {
    return explainStoreError(this.location, error);
  }

  close(): Promise<void> {
    return this.#exclusively(() => {
      this.#tally.close();
      this.#opened.close();
    });
  }

  async #exclusively<T>(work: () => T | Promise<T>): Promise<T> {
    const before = this.#last;
    let end = (): void => undefined;
    this.#last = new Promise<void>((resolve) => (end = resolve));
    await before;
    try {
      return await work();
    } finally {
      end();
    }
  }

  #all<Row>(query: Sql): Row[] {
    return this.#prepare(query.render(mark)).all(...(query.values as SQLInputValue[])) as Row[];
  }

  #run(query: Sql): number {
    return Number(this.#prepare(query.render(mark)).run(...(query.values as SQLInputValue[])).changes);
  }

  #prepare(text: string): StatementSync {
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= mostStatements) this.#statements.clear();
    const statement = this.#opened.database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

const mark = (): string => "?";

/** What is said when a log could not be emptied. */
export const inUse = "Another process has the store open: what was deleted is in its log until that one closes it.";

/** An open store file; `close` also removes what was made only to read it. `unwritable` is why it can only be read. */
export type OpenFile = { database: DatabaseSync; close(): void; isReadOnly: boolean; unwritable?: unknown };

/** Sizes are for many debates at once: 16 MB of cache, and a checkpoint every 16 MB. */
const pragmas = `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA cache_size = -16000;
  PRAGMA wal_autocheckpoint = 4000;`;

const tables = `${tablesOf({ serial: "INTEGER PRIMARY KEY", text: "text", bytes: "blob" })}
CREATE VIRTUAL TABLE search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2'
);`;

/** The longest that opening waits for another process; the thread is blocked for that time. */
const openingMs = 5_000;
/** How long one try of a read or a commit waits; between tries the event loop goes on. */
const tryMs = 100;

function openFile(file: string, { waitMs = openingMs, durability }: SqliteOptions): OpenFile {
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
