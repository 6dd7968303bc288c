import type { DatabaseSync } from "node:sqlite";
import {
  createChunks,
  joinEntries,
  type StoredChunk,
  type StoredEntry,
} from "../../../src/store/sqlite/sqlite-chunks.ts";

/** Changes a store's entries row by row: they stand in a table `entries` while `change` runs, and are stored again after it. */
export function changeEntries<T>(database: DatabaseSync, change: () => T): T {
  database.exec("PRAGMA temp_store = MEMORY; PRAGMA synchronous = OFF");
  database.exec("CREATE TEMP TABLE entries (run_id TEXT, seq INTEGER, prev TEXT, hash TEXT, body TEXT, pieces TEXT)");
  const insert = database.prepare("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)");
  const { unpack } = createChunks(database);
  for (const chunk of database.prepare("SELECT run, data, base FROM chunks ORDER BY id").all() as StoredChunk[])
    for (const { seq, prev, hash, body, pieces } of unpack(chunk)) insert.run(chunk.run, seq, prev, hash, body, pieces);
  const before = listEntries(database);
  const done = change();
  const after = listEntries(database);
  database.exec("DROP TABLE entries");
  for (const run of new Set([...before.keys(), ...after.keys()]))
    if (JSON.stringify(before.get(run)) !== JSON.stringify(after.get(run)))
      storeEntries(database, run, after.get(run) ?? []);
  return done;
}

function listEntries(database: DatabaseSync): Map<string, StoredEntry[]> {
  const rows = database.prepare("SELECT * FROM entries ORDER BY run_id, seq").all() as (StoredEntry & {
    run_id: string;
  })[];
  return Map.groupBy(rows, (row) => row.run_id);
}

/** Puts other entries in the place of a run's. */
function storeEntries(database: DatabaseSync, run: string, entries: StoredEntry[]): void {
  const last = createChunks(database).last(run);
  if (last === null) return;
  database.prepare("DELETE FROM chunks WHERE run = ? AND id <> ?").run(run, last);
  database
    .prepare("UPDATE chunks SET before = NULL, base = NULL, data = ? WHERE id = ?")
    .run(joinEntries(entries), last);
}
