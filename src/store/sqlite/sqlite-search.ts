import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { ParleyError } from "../../contract/error.ts";
import { EntryBodySchema } from "../../contract/journal.ts";
import { ManifestSchema } from "../../contract/run.ts";
import { listCaseText, listEntryText, listSearchWords } from "../search-text.ts";
import { createChunks, type StoredChunk } from "./sqlite-chunks.ts";

/**
 * A row of the index is named by its run's place and the entry it comes from, so that the newest runs are found first.
 * `searched` says how far the index has come: runs and journals only ever grow at their end.
 */
export const searchSchema = `
CREATE VIRTUAL TABLE search USING fts5 (text, content = '', detail = none, tokenize = 'unicode61 remove_diacritics 2');
CREATE TABLE searched (runs INTEGER NOT NULL, chunks INTEGER NOT NULL) STRICT;
INSERT INTO searched VALUES (0, 0);
`;

/** The index over cases, replies and decisions. It is brought up to date when somebody searches, not while debates run. */
export type Search = {
  /** Adds a stretch of what is new, inside a transaction; false when there was nothing. */
  catchUp(): boolean;
  /** True when something is stored that the index does not have. */
  isBehind(): boolean;
  /** Makes an index of this connection's own that lasts as long as it: for a store that can only be read. */
  indexForReading(): void;
  /** The ids of the runs in which all words are found, newest first, each once; only those before the place `before`. */
  find(words: string, before: number | null, only?: OnlyRuns): Iterable<string>;
};

/** A condition on `runs`, asked inside the index's own query: asking run by run from outside costs more than the search. */
export type OnlyRuns = { sql: string; values: SQLInputValue[] };

const noLimit = 2 ** 33;
/** How many runs, and how many chunks, are added at a time. */
const stretch = 500;

export function createSearch(database: DatabaseSync): Search {
  const prepareBehind = () =>
    database.prepare(
      `SELECT (SELECT coalesce(max(rowid), 0) FROM runs) > runs OR (SELECT coalesce(max(id), 0) FROM chunks) > chunks AS is_behind
      FROM searched`,
    );
  let behind = prepareBehind();
  const isBehind = (): boolean => behind.get()?.is_behind === 1;
  return {
    isBehind,
    indexForReading() {
      database.exec(
        `PRAGMA query_only = 0; PRAGMA temp_store = MEMORY; ${searchSchema.replaceAll("TABLE ", "TABLE temp.")}`,
      );
      behind = prepareBehind();
      while (isBehind()) addStretch(database);
      database.exec("PRAGMA query_only = 1");
    },
    catchUp() {
      if (!isBehind()) return false;
      addStretch(database);
      return true;
    },
    *find(text, before, { sql, values } = { sql: "true", values: [] }) {
      const words = listSearchWords(text);
      if (words.length === 0) throw new ParleyError("bad_input", "text: there is no word in it to look for");
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

/** Adds the next runs and chunks to the index; what is damaged stays unfound. */
function addStretch(database: DatabaseSync): void {
  const insert = database.prepare(
    "INSERT INTO search (rowid, text) SELECT (runs.rowid << 20) | ?, ? FROM runs WHERE id = ?",
  );
  const add = (run: string, seq: number, text: string): void => void (text !== "" && insert.run(seq, text, run));
  const runs = database
    .prepare(
      "SELECT rowid AS place, id, manifest FROM runs WHERE rowid > (SELECT runs FROM searched) ORDER BY 1 LIMIT ?",
    )
    .all(stretch) as { place: number; id: string; manifest: string }[];
  for (const { id, manifest } of runs) {
    const parsed = ManifestSchema.safeParse(tryTo(() => JSON.parse(manifest) as unknown)).data;
    if (parsed) add(id, 0, listCaseText(parsed));
  }
  const chunks = database
    .prepare("SELECT id, run, data, base FROM chunks WHERE id > (SELECT chunks FROM searched) ORDER BY id LIMIT ?")
    .all(stretch) as (StoredChunk & { id: number })[];
  const { unpack } = createChunks(database);
  for (const chunk of chunks) {
    for (const { seq, body } of tryTo(() => unpack(chunk)) ?? []) {
      const parsed = EntryBodySchema.safeParse(tryTo(() => JSON.parse(body) as unknown)).data;
      if (parsed) add(chunk.run, seq, listEntryText(parsed));
    }
  }
  database
    .prepare("UPDATE searched SET runs = max(runs, ?), chunks = max(chunks, ?)")
    .run(runs.at(-1)?.place ?? 0, chunks.at(-1)?.id ?? 0);
}

function tryTo<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
