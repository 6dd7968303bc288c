import { setTimeout as pause } from "node:timers/promises";
import { ParleyError } from "../contract/error.ts";
import type { Stored } from "./tables.ts";

export type PatienceOptions = {
  waitMs?: number;
  signal?: AbortSignal;
  onWait?(error: ParleyError, waitMs: number): void;
};

/** How long to wait for a locked store or a full disk by default. */
const defaultWaitMs = 30_000;

const retryMs = 100;

/**
 * Decides whether a failure of the store is worth another try. A paid reply must not be lost because another process
 * holds the store or the disk is full for a moment, so such trouble is waited out. After one wait in vain, the same
 * trouble fails at once.
 */
export class Patience {
  readonly #options: PatienceOptions;
  #sinceMs: number | null = null;

  constructor(options: PatienceOptions = {}) {
    this.#options = options;
  }

  isWorthWaiting(error: unknown): boolean {
    const { waitMs = defaultWaitMs, signal, onWait } = this.#options;
    if (!mayPass(error) || signal?.aborted) return false;
    if (this.#sinceMs === null) {
      this.#sinceMs = performance.now();
      if (waitMs > 0) onWait?.(error, waitMs);
    }
    return performance.now() - this.#sinceMs < waitMs;
  }

  isWaiting(): boolean {
    return this.#sinceMs !== null;
  }

  succeeded(): void {
    this.#sinceMs = null;
  }

  async persist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const value = await work();
        this.succeeded();
        return value;
      } catch (error) {
        if (!this.isWorthWaiting(error)) throw error;
      }
      await pause(retryMs);
    }
  }
}

function mayPass(error: unknown): error is ParleyError {
  return error instanceof ParleyError && error.details.mayPass === true;
}

/** A write inside a transaction. `again` means it was tried before and the connection broke, so it may already be stored. */
export type Write<T> = (tx: Connection, again: boolean) => Promise<T>;

type Pending = { run: string; write: Write<unknown>; done(value: unknown): void; failed(error: unknown): void };

/**
 * Debates running side by side write at the same moments, and a transaction costs more than its content. So they
 * share one, and writes that arrive meanwhile go into the next. If it fails, each run's writes are tried alone, so
 * that one run's trouble does not spread.
 */
export class GroupCommit {
  readonly database: Database;
  readonly #patience: Patience;
  #pending: Pending[] = [];
  #going: Promise<void> | null = null;
  #later: Promise<void> | null = null;

  constructor(database: Database, patience: Patience) {
    this.database = database;
    this.#patience = patience;
  }

  /** Resolves when the write is durable. Writes of a run keep their order, and those of one moment are stored together or not at all. */
  add<T>(run: string, write: Write<T>): Promise<T> {
    const written = this.#queue(run, write);
    this.#going ??= this.#goOn();
    return this.#later === null ? written : Promise.all([written, this.#later]).then(([value]) => value);
  }

  /** Like `add`, for a run that nobody else knows yet: in memory it is written when something else is asked for, which fails if this does. */
  addNew<T>(run: string, write: Write<T>, done: (value: T) => void = () => undefined): Promise<void> {
    if (!this.database.isLazy) return this.add(run, write).then(done);
    const written = this.#queue(run, write).then(done);
    this.#later = Promise.all([this.#later, written]).then(() => undefined);
    this.#later.catch(() => undefined);
    return Promise.resolve();
  }

  async persist<T>(work: () => Promise<T>): Promise<T> {
    if (this.#later !== null) {
      this.#going ??= this.#goOn();
      await this.#later;
    }
    return this.#patience.persist(() => work().catch((error: unknown) => Promise.reject(this.database.explain(error))));
  }

  #queue<T>(run: string, write: Write<T>): Promise<T> {
    return new Promise((resolve, failed) => {
      this.#pending.push({ run, write, done: (value) => resolve(value as T), failed });
    });
  }

  read<Row>(query: Sql): Promise<Row[]> {
    return this.persist(() => this.database.all<Row>(query));
  }

  async idle(): Promise<void> {
    while (this.#going) await this.#going;
  }

  async #goOn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#pending.length > 0) {
      const writes = this.#pending;
      this.#pending = [];
      await this.#commitAll(writes);
    }
    this.#going = null;
  }

  async #commitAll(writes: Pending[]): Promise<void> {
    let groups = [writes];
    for (let again = false; groups.length > 0; again = true) {
      const left: Pending[][] = [];
      for (const group of groups) {
        const failure = await this.#commit(group, again);
        if (failure === null) continue;
        if (this.#patience.isWorthWaiting(failure.error)) left.push(group);
        else if (new Set(group.map(({ run }) => run)).size > 1) {
          left.push(...Map.groupBy(group, ({ run }) => run).values());
        } else for (const { failed } of group) failed(failure.error);
      }
      groups = left;
      if (left.length > 0 && this.#patience.isWaiting()) await pause(retryMs);
    }
  }

  async #commit(group: readonly Pending[], again: boolean): Promise<{ error: unknown } | null> {
    let values: unknown[] = [];
    try {
      await this.database.transaction(async (tx) => {
        values = [];
        for (const { write } of group) values.push(await write(tx, again));
      });
    } catch (error) {
      return { error: this.database.explain(error) };
    }
    this.#patience.succeeded();
    for (const [index, { done }] of group.entries()) done(values[index]);
    return null;
  }
}

/** A statement with its values, for SQLite and PostgreSQL alike; only the placeholders differ. */
export class Sql {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }
  render(mark: (number: number) => string): string {
    let text = this.parts[0] ?? "";
    for (let n = 1; n < this.parts.length; n += 1) text += mark(n) + (this.parts[n] ?? "");
    return text;
  }
}

/** Builds a statement; interpolated values become parameters, nested statements are inlined. */
export function sql(strings: TemplateStringsArray, ...given: readonly unknown[]): Sql {
  const parts = [strings[0] ?? ""];
  const values: unknown[] = [];
  for (const [index, one] of given.entries()) {
    const after = strings[index + 1] ?? "";
    if (one instanceof Sql) {
      parts[parts.length - 1] += one.parts[0] ?? "";
      parts.push(...one.parts.slice(1));
      values.push(...one.values);
      parts[parts.length - 1] += after;
    } else {
      values.push(one);
      parts.push(after);
    }
  }
  return new Sql(parts, values);
}

/** Raw SQL, such as names of tables and columns. Never pass text from outside. */
export function rawSql(text: string): Sql {
  return new Sql([text], []);
}

export function joinSql(list: readonly Sql[], separator: string): Sql {
  let joined = list[0] ?? rawSql("");
  for (const one of list.slice(1)) joined = sql`${joined}${rawSql(separator)}${one}`;
  return joined;
}

export function rowsOf(rows: readonly (readonly unknown[])[]): Sql {
  const parts: string[] = ["("];
  const values: unknown[] = [];
  for (const [index, row] of rows.entries()) {
    if (index > 0) parts[parts.length - 1] += "), (";
    for (const [column, value] of row.entries()) {
      values.push(value);
      parts.push(column < row.length - 1 ? ", " : "");
    }
  }
  parts[parts.length - 1] += ")";
  return new Sql(parts, values);
}

export function listOf(values: readonly unknown[]): Sql {
  return rowsOf([values]);
}

export function* inStretches<T>(list: readonly T[], length = 200): Iterable<readonly T[]> {
  for (let at = 0; at < list.length; at += length) yield list.slice(at, at + length);
}

export type Connection = {
  all<Row>(query: Sql): Promise<Row[]>;
  run(query: Sql): Promise<number>;
};

export type Database = Connection & {
  location: string;
  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /** The time in milliseconds: the database's clock if it has one, else the caller's or this process's. */
  now(callerMs?: number): Sql;
  /** True when all users of the database share the clock of `now`. */
  hasClock: boolean;
  leaseMs: number;
  isReadOnly: boolean;
  /** True in memory, where a crash would lose what was written as well as what waits to be. */
  isLazy?: boolean;
  /** Matches rows whose column contains this exact text, compressed or not. */
  contains(column: Sql, text: string): Sql;
  lockKey(key: string): Sql | null;
  /** Locks out everyone who keeps blocks (`keepBlocks`, appended to a query) until the transaction ends. */
  lockBlocks: Sql | null;
  keepBlocks: Sql;
  /** The numbers of blocks that are known to be in the database, by their text; to be asked for inside a transaction. */
  knownBlocks?(): Map<string, number>;
  /** The blocks used by each run: rows of `run` and `block`. */
  usedBlocks: Sql;
  pack(text: string): Stored;
  addWords(run: string, part: number, text: string): Sql;
  hasWords(words: readonly string[]): Sql;
  removeWords(run: string): Sql;
  listDamage(): Promise<string[]>;
  clean(): Promise<string | null>;
  noteRemoval?(): void;
  explain(error: unknown): unknown;
  close(): Promise<void>;
};
