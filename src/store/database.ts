import { setTimeout as pause } from "node:timers/promises";
import { ParleyError } from "../contract/error.ts";
import type { Stored } from "./tables.ts";

export type PatienceOptions = {
  waitMs?: number;
  signal?: AbortSignal;
  onWait?(error: ParleyError, waitMs: number): void;
};

/** How long a locked store or a full disk is waited for unless told otherwise. */
const defaultWaitMs = 30_000;

const retryMs = 100;

/**
 * Decides whether a failure of the store is worth another try. A reply that has been paid for must not be thrown away
 * because another process holds the store or the disk is full for a moment: such trouble is waited for. Once a wait has
 * been in vain, the same trouble fails at once.
 */
export class Patience {
  readonly #options: PatienceOptions;
  #sinceMs: number | null = null;
  #isOver = false;

  constructor(options: PatienceOptions = {}) {
    this.#options = options;
  }

  isWorthWaiting(error: unknown): boolean {
    const { waitMs = defaultWaitMs, signal, onWait } = this.#options;
    if (!mayPass(error) || this.#isOver || signal?.aborted) return false;
    if (this.#sinceMs === null) {
      this.#sinceMs = performance.now();
      if (waitMs > 0) onWait?.(error, waitMs);
    }
    this.#isOver = performance.now() - this.#sinceMs >= waitMs;
    return !this.#isOver;
  }

  isWaiting(): boolean {
    return this.#sinceMs !== null;
  }

  succeeded(): void {
    this.#sinceMs = null;
    this.#isOver = false;
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

/**
 * A write, to be made in a transaction. `again` says that it was tried before and that nobody knows what became of it,
 * since the connection broke: what is there already counts as written then.
 */
export type Write<T> = (tx: Connection, again: boolean) => Promise<T>;

type Pending = { run: string; write: Write<unknown>; done(value: unknown): void; failed(error: unknown): void };

/**
 * Debates that run side by side write at the same moments, and a transaction costs more than what is in it: so they
 * share one, and whatever is written while it is under way goes with the next. When it fails, each run's writes are
 * tried by themselves, so that one run's trouble does not become another's; trouble that may pass is waited for.
 */
export class GroupCommit {
  readonly database: Database;
  readonly #patience: Patience;
  #pending: Pending[] = [];
  #going: Promise<void> | null = null;

  constructor(database: Database, patience: Patience) {
    this.database = database;
    this.#patience = patience;
  }

  /** Resolves when the write is durable; writes of a run are made in order, and all of one moment or none. */
  add<T>(run: string, write: Write<T>): Promise<T> {
    return new Promise((resolve, failed) => {
      this.#pending.push({ run, write, done: (value) => resolve(value as T), failed });
      this.#going ??= this.#goOn();
    });
  }

  persist<T>(work: () => Promise<T>): Promise<T> {
    return this.#patience.persist(() => work().catch((error: unknown) => Promise.reject(this.database.explain(error))));
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

/** A statement with its values, written once for SQLite and PostgreSQL: only the marks of the values differ. */
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

/** Writes a statement; what is put in is a value, unless it is a statement itself. */
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

/** Text that is part of a statement as it stands: names of tables and columns, never anything from outside. */
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
  /** The time in milliseconds: on the database's clock where it has one, else the caller's, or this process's. */
  now(callerMs?: number): Sql;
  /** Whether `now` means the same to all who use the database. */
  hasClock: boolean;
  leaseMs: number;
  isReadOnly: boolean;
  /** True where a column has this text in it, packed or not, letter for letter. */
  contains(column: Sql, text: string): Sql;
  lockKey(key: string): Sql | null;
  lockBlocks: Sql | null;
  /** Which blocks the entries of which runs list: rows of `run` and `block`. */
  usedBlocks: Sql;
  pack(text: string): Stored;
  addWords(run: string, part: number, text: string): Sql;
  hasWords(words: readonly string[]): Sql;
  removeWords(run: string): Sql;
  listDamage(): Promise<string[]>;
  clean(): Promise<string | null>;
  noteEntry?(run: string, seq: number, hash: string): void;
  noteRemoval?(): void;
  explain(error: unknown): unknown;
  close(): Promise<void>;
};
