import { existsSync, statSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { constants, deflateRawSync } from "node:zlib";
import { ParleyError } from "../contract/error.ts";
import { type Connection, type Database, GroupCommit, Patience, rawSql, type Sql, sql } from "./database.ts";
import { leaseMs } from "./lease.ts";
import { createLedger } from "./ledger.ts";
import { type SqlOptions, sqlStore } from "./sql.ts";
import { createUpkeep, type Upkeep } from "./sql-upkeep.ts";
import { type Store, explainStoreError } from "./store.ts";
import { isWritable, makePrivateFile, sqlite } from "./replace-file.ts";
import { layoutVersion, reviewBegins, type Stored, tablesOf, unpack } from "./tables.ts";

export type SqliteOptions = {
  waitMs?: number;
  durability?: "process" | "power" | undefined;
  /** Clock for the leases of processes that cannot be looked up. */
  nowMs?(): number;
};

/** An open store file; `unwritable` is the reason it can only be read. */
type OpenFile = { database: DatabaseSync; isReadOnly: boolean; unwritable?: unknown };

/** Opens the store in one SQLite file (`:memory:` for a temporary one), creating it if needed; an unwritable one can still be read. */
export function sqliteStore(file: string, options: SqlOptions & SqliteOptions = {}): Store {
  const database = openSqlite(file, options);
  const store = sqlStore(database, options);
  // A read-only store keeps its inbox in memory, invisible to other processes.
  const inMemory = () => createLedger(new GroupCommit(openSqlite(":memory:"), new Patience()));
  return database.isReadOnly ? { ...store, inbox: inMemory().inbox } : store;
}

export function fileUpkeep(file: string): Upkeep {
  if (!existsSync(file)) throw new ParleyError("bad_input", `there is no store in ${file}`);
  const database = openSqlite(file);
  if (!database.isReadOnly) return createUpkeep(database);
  void database.close();
  throw new ParleyError("store_failed", `the store ${file} is read-only; nothing was changed`);
}

function openSqlite(file: string, options: SqliteOptions = {}): SqliteDatabase {
  try {
    const opened = openFile(file, options);
    return new SqliteDatabase(file, () => opened, options.nowMs);
  } catch (error) {
    throw explainStoreError(file, error);
  }
}

/** A store in memory, the library's default. Its database is made when something is asked for, so a run that nobody looks at costs nothing. */
export function memoryStore(): Store {
  const database = new SqliteDatabase("memory", () => openFile(":memory:", {}));
  return { ...sqlStore(Object.assign(database, { isLazy: true })), close: async () => undefined };
}

const packedFrom = 500;

/** On short texts, searching for repetitions takes longer than everything else and saves little. */
const short = { chunkSize: 2048, level: 1, memLevel: 5, windowBits: 12, strategy: constants.Z_HUFFMAN_ONLY };
const long = { chunkSize: 4096, level: 1, memLevel: 6, windowBits: 14 };
const longFrom = 2_000;

const mostStatements = 200;
const mostBlocks = 500;

/** One connection to a store file; callers wait for the transaction in progress. */
class SqliteDatabase implements Database {
  readonly location: string;
  readonly hasClock = false;
  readonly leaseMs = leaseMs;
  readonly lockBlocks = null;
  readonly keepBlocks = rawSql("");
  readonly usedBlocks = rawSql("SELECT run, value AS block FROM entry, json_each(blocks) WHERE type = 'integer'");
  readonly #open: () => OpenFile;
  readonly #nowMs: () => number;
  readonly #statements = new Map<string, StatementSync>();
  readonly #blocks = new Map<string, number>();
  #file: OpenFile | null = null;
  #version: unknown = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(location: string, open: () => OpenFile, nowMs: () => number = Date.now) {
    this.location = location;
    this.#open = open;
    this.#nowMs = nowMs;
  }

  get isReadOnly(): boolean {
    return this.#opened.isReadOnly;
  }

  get #opened(): OpenFile {
    if (this.#file === null) {
      this.#file = this.#open();
      this.#file.database.function("unpack", { deterministic: true }, (stored) => unpack(stored as Stored));
    }
    return this.#file;
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
      if (unwritable) throw unwritable;
      this.#prepare("BEGIN IMMEDIATE").run();
      try {
        const value = await work(tx);
        this.#prepare("COMMIT").run();
        return value;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        this.#blocks.clear();
        throw error;
      }
    });
  }

  /** Forgotten when another connection has written, since it may have removed some. */
  knownBlocks(): Map<string, number> {
    const version = this.#prepare("PRAGMA data_version").get()?.data_version;
    if (version !== this.#version || this.#blocks.size > mostBlocks) this.#blocks.clear();
    this.#version = version;
    return this.#blocks;
  }

  now(callerMs?: number): Sql {
    return sql`${callerMs ?? this.#nowMs()}`;
  }

  contains(column: Sql, text: string): Sql {
    return sql`instr(unpack(${column}), ${text}) > 0`;
  }

  pack(text: string): Stored {
    if (text.length < packedFrom || text.startsWith(reviewBegins)) return text;
    return deflateRawSync(text, text.length < longFrom ? short : long);
  }

  lockKey(): null {
    return null;
  }

  /** Index rows are keyed by the run's position and the part, so that a run's rows lie together. */
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
    const problems = found.map((row) => row.integrity_check).filter((message) => message !== "ok");
    return problems.map((message) => `the file is damaged: ${message}`);
  }

  /** Returns deleted space to the disk; another process with the store open keeps its log until it closes. */
  clean(): Promise<string | null> {
    const { database } = this.#opened;
    return this.#exclusively(() => {
      database.exec("INSERT INTO search (search) VALUES ('optimize'); VACUUM");
      return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0 ? null : inUse;
    });
  }

  /** Deleted data is overwritten. */
  noteRemoval(): void {
    this.#opened.database.exec("PRAGMA secure_delete = ON");
  }

  explain(error: unknown): unknown {
    return explainStoreError(this.location, error);
  }

  close(): Promise<void> {
    return this.#exclusively(() => this.#opened.database.close());
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

export const inUse = "Another process has the store open; deleted data stays in its log until that process closes it.";

const pragmas = `PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA cache_size = -16000;
  PRAGMA wal_autocheckpoint = 4000;`;

const types = { serial: "INTEGER PRIMARY KEY", text: "text", bytes: "blob" };
const searchTable = `CREATE VIRTUAL TABLE search USING fts5 (
  text, content = '', contentless_delete = 1, detail = none, tokenize = 'unicode61 remove_diacritics 2'
);`;

/** The longest that opening blocks the thread while another process holds the file. */
const openingMs = 5_000;
const tryMs = 100;

function openFile(file: string, { waitMs = openingMs, durability }: SqliteOptions): OpenFile {
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
    if (readLayout(database, file) === 0)
      database.exec(`${tablesOf(types)} ${searchTable} PRAGMA user_version = ${layoutVersion}`);
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
