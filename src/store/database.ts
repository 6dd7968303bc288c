import type { Stored } from "./tables.ts";

/** A statement with its values, written once for SQLite and PostgreSQL: only the marks of the values differ. */
export class Sql {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }
  /** The text with a mark in the place of each value. */
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

/** `(a, b), (c, d)`: rows to insert. */
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

/** `(a, b, c)`: values to look among. */
export function listOf(values: readonly unknown[]): Sql {
  return rowsOf([values]);
}

/** A statement has only so many values. */
export function* inStretches<T>(list: readonly T[], length = 200): Iterable<readonly T[]> {
  for (let at = 0; at < list.length; at += length) yield list.slice(at, at + length);
}

/** Where statements are run. */
export type Connection = {
  all<Row>(query: Sql): Promise<Row[]>;
  /** Runs a statement and says how many rows it changed. */
  run(query: Sql): Promise<number>;
};

/** A database with whatever SQLite and PostgreSQL do not write alike. */
export type Database = Connection & {
  /** Where it is, for messages. */
  location: string;
  /** Makes all of the changes, or none of them. */
  transaction<T>(work: (tx: Connection) => Promise<T>): Promise<T>;
  /** The time in milliseconds: on the database's clock where it has one, else the caller's, or this process's. */
  now(callerMs?: number): Sql;
  /** Whether `now` means the same to all who use the database. */
  hasClock: boolean;
  /** How long a holder without a sign of life keeps its runs. */
  leaseMs: number;
  isReadOnly: boolean;
  /** True where a column has this text in it, packed or not, letter for letter. */
  contains(column: Sql, text: string): Sql;
  /** Keeps others who do the same from going on before the transaction ends. */
  lockKey(key: string): Sql | null;
  /** Keeps others from adding blocks before the transaction ends. */
  lockBlocks: Sql | null;
  /** Which blocks the entries of which runs list: rows of `run` and `block`. */
  usedBlocks: Sql;
  /** A text as it is kept: a long one takes less room when it is packed, where the database does not do so by itself. */
  pack(text: string): Stored;
  /** Makes a text of a run findable; `part` tells the run's texts apart. */
  addWords(run: string, part: number, text: string): Sql;
  /** True of a `run` in one of whose texts all the words are found. */
  hasWords(words: readonly string[]): Sql;
  /** Forgets the words of a run. */
  removeWords(run: string): Sql;
  /** What the database says of itself when it is damaged. */
  listDamage(): Promise<string[]>;
  /** Takes what was deleted out of the files, as far as this can be done from here; says what is left to do. */
  clean(): Promise<string | null>;
  /** Told which entry was stored last, once it is durable. */
  noteEntry?(run: string, seq: number, hash: string): void;
  /** Told that runs are about to be removed or erased. */
  noteRemoval?(): void;
  /** Puts a failure into words. */
  explain(error: unknown): unknown;
  close(): Promise<void>;
};
