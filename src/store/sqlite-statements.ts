import type { DatabaseSync } from "node:sqlite";
import { runColumns } from "./sqlite-rows.ts";

export type Statements = ReturnType<typeof prepareStatements>;

/** The statements of a store, prepared once; fails when the file does not have a store's tables. */
export function prepareStatements(database: DatabaseSync) {
  return {
    insertRun: database.prepare(
      "INSERT INTO runs (id, manifest, case_id, key, batch, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    insertProgress: database.prepare(
      "INSERT INTO progress (run_id, status, outcome, head_hash, entry_count) VALUES (?, ?, ?, ?, 0)",
    ),
    insertEntry: database.prepare(
      `INSERT INTO entries (run_id, seq, prev, hash, body, pieces)
        SELECT run_id, ?, ?, ?, ?, ? FROM progress WHERE run_id = ? AND epoch = ?`,
    ),
    moveHead: database.prepare("UPDATE progress SET head_hash = ?, entry_count = ? WHERE run_id = ?"),
    updateStatus: database.prepare("UPDATE progress SET status = ?, outcome = ? WHERE run_id = ?"),
    updateStatusOf: database.prepare("UPDATE progress SET status = ?, outcome = ? WHERE run_id = ? AND epoch = ?"),
    selectRun: database.prepare(`${runColumns} WHERE id = ?`),
    selectIds: database.prepare("SELECT id FROM runs WHERE substr(id, 1, ?) = ? ORDER BY rowid"),
    selectEntries: database.prepare("SELECT seq, prev, hash, body FROM entries WHERE run_id = ? ORDER BY seq"),
    selectReviewed: database.prepare(
      `SELECT DISTINCT run_id AS id FROM entries WHERE substr(body, 1, 16) = '{"kind":"review"' ORDER BY run_id`,
    ),
    selectEntriesAfter: database.prepare(
      "SELECT seq, prev, hash, body FROM entries WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?",
    ),
  };
}
