import type { DatabaseSync } from "node:sqlite";
import { runColumns } from "./sqlite-rows.ts";
import { hasKey } from "./sqlite-schema.ts";

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
    moveHead: database.prepare(
      `UPDATE progress SET head_hash = ?, entry_count = ?, last = ?
        WHERE run_id = ? AND epoch = ? AND entry_count = ? AND last IS ?`,
    ),
    markReviewed: database.prepare("UPDATE progress SET reviewed = 1 WHERE run_id = ?"),
    /** Also ends the run. An ended run is nobody's: what its holder would give back next is given back with it. */
    moveHeadToEnd: database.prepare(
      `UPDATE progress SET head_hash = ?, entry_count = ?, last = ?, status = 'finished', outcome = ?, holder = NULL
        WHERE run_id = ? AND epoch = ? AND entry_count = ? AND last IS ?`,
    ),
    updateStatus: database.prepare("UPDATE progress SET status = ?, outcome = ? WHERE run_id = ?"),
    updateStatusOf: database.prepare("UPDATE progress SET status = ?, outcome = ? WHERE run_id = ? AND epoch = ?"),
    selectRun: database.prepare(`${runColumns} WHERE id = ?`),
    selectSame: database.prepare(
      `SELECT id FROM runs WHERE ${hasKey} AND batch IS coalesce(?, batch) ORDER BY rowid DESC LIMIT 1`,
    ),
    selectIds: database.prepare("SELECT id FROM runs WHERE substr(id, 1, ?) = ? ORDER BY rowid"),
    selectReviewed: database.prepare("SELECT run_id AS id FROM progress WHERE reviewed = 1 ORDER BY run_id"),
  };
}
