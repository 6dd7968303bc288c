import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { ParleyError } from "../contract/error.ts";
import { EntryBodySchema } from "../contract/journal.ts";
import { ManifestSchema } from "../contract/run.ts";
import { listCaseText, listEntryText, listSearchWords } from "./search-text.ts";

/** A row of the index is named by its run's place and the entry it comes from, so that the newest runs are found first. */
export const searchSchema = `
CREATE VIRTUAL TABLE search USING fts5 (text, content = '', detail = none, tokenize = 'unicode61 remove_diacritics 2');
`;

/** The index over cases, replies and decisions; what is added belongs to the transaction it is added in. */
export type Search = {
  add(run: string, seq: number, text: string): void;
  /** The ids of the runs in which all words are found, newest first, each once; only those before the place `before`. */
  find(words: string, before: number | null, only?: OnlyRuns): Iterable<string>;
};

/** A condition on `runs`, asked inside the index's own query: asking run by run from outside costs more than the search. */
export type OnlyRuns = { sql: string; values: SQLInputValue[] };

const noLimit = 2 ** 33;

export function createSearch(database: DatabaseSync): Search {
  let insert: StatementSync | null = null;
  return {
    add(run, seq, text) {
      if (text === "") return;
      insert ??= database.prepare(
        "INSERT INTO search (rowid, text) SELECT (runs.rowid << 20) | ?, ? FROM runs WHERE id = ?",
      );
      insert.run(seq, text, run);
    },
    *find(text, before, { sql, values } = { sql: "true", values: [] }) {
      const words = listSearchWords(text);
      if (words.length === 0) throw new ParleyError("bad_input", "text: there is no word in it to look for");
      requireIndex(database);
      const select = database.prepare(
        `SELECT runs.id AS id FROM search CROSS JOIN runs ON runs.rowid = search.rowid >> 20
          WHERE search MATCH ? AND search.rowid < (? << 20) AND ${sql} ORDER BY search.rowid DESC`,
      );
      const query = words.map((word) => `"${word}"*`).join(" ");
      let last = "";
      for (const row of select.iterate(query, before ?? noLimit, ...values)) {
        const id = String(row.id);
        if (id !== last) yield id;
        last = id;
      }
    },
  };
}

function requireIndex(database: DatabaseSync): void {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search'").get()) return;
  throw new ParleyError(
    "store_failed",
    "this store was written by an older Parley and cannot be searched until it is opened where it can be written",
  );
}

/** Adds everything that is in the store to the index: for a store that an older Parley wrote. Damaged rows stay unfound. */
export function fillSearch(database: DatabaseSync): void {
  const { add } = createSearch(database);
  for (const { id, manifest } of database.prepare("SELECT id, manifest FROM runs").iterate()) {
    const parsed = ManifestSchema.safeParse(parseJson(String(manifest))).data;
    if (parsed) add(String(id), 0, listCaseText(parsed));
  }
  for (const { run_id: id, seq, body } of database.prepare("SELECT run_id, seq, body FROM entries").iterate()) {
    const parsed = EntryBodySchema.safeParse(parseJson(String(body))).data;
    if (parsed) add(String(id), Number(seq), listEntryText(parsed));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
