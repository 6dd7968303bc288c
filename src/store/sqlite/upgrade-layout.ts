import type { DatabaseSync } from "node:sqlite";
import { createChunks, type StoredEntry } from "./sqlite-chunks.ts";
import { dictionarySchema } from "./dictionaries.ts";
import { chunks, holders, keyIndex, losses, pageIndexes, reviewIndex } from "./sqlite-schema.ts";
import { searchSchema } from "./sqlite-search.ts";

/** How a store of an older layout becomes one of the next; what is in it stays. */
export const upgrades: Record<number, (database: DatabaseSync) => void> = {
  3: (database) => database.exec(`DROP INDEX runs_by_pack; DROP INDEX runs_by_batch; ${pageIndexes}`),
  4: (database) =>
    database.exec(`ALTER TABLE progress ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE progress ADD COLUMN holder INTEGER; DROP TABLE locks; ${holders}`),
  5: gatherEntries,
  6: addDictionaries,
  /** Layout 8: entries and pieces are told apart in fewer words; those that are there are read as they are. */
  7: (database) => database.exec(`DROP INDEX runs_by_key; ${keyIndex}`),
};

/** Layout 6: the entries of a run become a chunk, and the index is made when somebody searches. */
function gatherEntries(database: DatabaseSync): void {
  database.exec(`ALTER TABLE progress ADD COLUMN last INTEGER;
    ALTER TABLE progress ADD COLUMN reviewed INTEGER NOT NULL DEFAULT 0;
    UPDATE progress SET reviewed = 1 WHERE run_id IN (SELECT run_id FROM entries WHERE body LIKE '{"kind":"review"%');
    DROP TABLE IF EXISTS search; ${searchSchema} ${chunks} ${reviewIndex} ${losses}`);
  const { add } = createChunks(database);
  const select = database.prepare("SELECT seq, prev, hash, body, pieces FROM entries WHERE run_id = ? ORDER BY seq");
  const point = database.prepare("UPDATE progress SET last = ? WHERE run_id = ?");
  for (const { id } of database.prepare("SELECT DISTINCT run_id AS id FROM entries").all() as { id: string }[])
    point.run(add(id, null, select.all(id) as StoredEntry[]), id);
  database.exec("DROP TABLE entries");
}

/** Layout 7: chunks may be packed against a dictionary; those that were gathered just now have a place for it. */
function addDictionaries(database: DatabaseSync): void {
  const isThere = database.prepare("SELECT 1 FROM pragma_table_info('chunks') WHERE name = 'base'").get() !== undefined;
  if (!isThere) database.exec(`ALTER TABLE chunks ADD COLUMN base INTEGER; ${dictionarySchema}`);
}
