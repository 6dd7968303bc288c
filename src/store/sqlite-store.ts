import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../contract/error.ts";
import type { JournalEntry } from "../contract/journal.ts";
import { genesis, promptFrom } from "../engine/journal.ts";
import type { Piece } from "../engine/prompt-pieces.ts";
import { groupCommit } from "./group-commit.ts";
import { type Holder, isAlive, thisProcess } from "./process-life.ts";
import { attempt, inTransaction, openDatabase } from "./sqlite-database.ts";
import { type EntryRow, entryOf, listQuery, type RunRow, runOf } from "./sqlite-rows.ts";
import type { Store } from "./store.ts";

/** Opens the store in one SQLite file, making it if it is not there. */
export function sqliteStore(file: string): Store {
  const database = attempt(file, () => openDatabase(file));
  const guard = <T>(work: () => T): T => attempt(file, work);
  const write = <T>(work: () => T): T => guard(() => inTransaction(database, work));
  const insertRun = database.prepare(
    "INSERT INTO runs (id, manifest, case_id, key, batch, status, outcome, created_at, head_hash, entry_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
  );
  const insertEntry = database.prepare("INSERT INTO entries (run_id, seq, prev, hash, body) VALUES (?, ?, ?, ?, ?)");
  const insertPiece = database.prepare("INSERT OR IGNORE INTO pieces (hash, parent, text) VALUES (?, ?, ?)");
  const moveHead = database.prepare("UPDATE runs SET head_hash = ?, entry_count = ? WHERE id = ?");
  const selectPiece = database.prepare("SELECT hash, parent, text FROM pieces WHERE hash = ?");
  const selectRun = database.prepare("SELECT * FROM runs WHERE id = ?");
  const selectEntries = database.prepare("SELECT seq, prev, hash, body FROM entries WHERE run_id = ? ORDER BY seq");
  const updateStatus = database.prepare("UPDATE runs SET status = ?, outcome = ? WHERE id = ?");

  const commits = groupCommit(write);
  const append = (id: string, entry: JournalEntry, pieces: readonly Piece[]): Promise<void> =>
    commits.add(id, () => {
      for (const piece of pieces) insertPiece.run(piece.hash, piece.parent, piece.text);
      insertEntry.run(id, entry.seq, entry.prev, entry.hash, JSON.stringify(entry.body));
      moveHead.run(entry.hash, entry.seq + 1, id);
    });

  return {
    location: file,
    async create(run) {
      const { id, manifest, caseId, key, batch, status, outcome, createdAt } = run;
      const values = [id, JSON.stringify(manifest), caseId, key, batch, status, outcome, createdAt];
      write(() => insertRun.run(...values, genesis));
    },
    async get(id) {
      const row = guard(() => selectRun.get(id)) as RunRow | undefined;
      return row ? runOf(row) : null;
    },
    async list(filter = {}) {
      const { sql, values } = listQuery(filter);
      return (guard(() => database.prepare(sql).all(...values)) as RunRow[]).map(runOf);
    },
    async ids() {
      return guard(() => database.prepare("SELECT id FROM runs ORDER BY rowid").all() as { id: string }[]).map(
        (row) => row.id,
      );
    },
    async setStatus(id, status, outcome) {
      write(() => updateStatus.run(status, outcome, id));
    },
    async journal(id) {
      const rows = guard(() => selectEntries.all(id)) as EntryRow[];
      return {
        entries: rows.map((row) => entryOf(row, id)),
        append: (entry, pieces) => append(id, entry, pieces),
        prompt: async (hash) => guard(() => promptFrom(hash, (name) => selectPiece.get(name) as Piece | undefined)),
      };
    },
    async lock(id) {
      const token = randomUUID();
      write(() => takeLock(database, id, token));
      return async () => {
        write(() => database.prepare("DELETE FROM locks WHERE run_id = ? AND token = ?").run(id, token));
      };
    },
    async close() {
      commits.flush();
      guard(() => database.close());
    },
  };
}

function takeLock(database: DatabaseSync, id: string, token: string): void {
  const held = database.prepare("SELECT pid, started, host FROM locks WHERE run_id = ?").get(id) as Holder | undefined;
  if (held && isAlive(held))
    throw new ParleyError(
      "run_locked",
      `run ${id} is being run by process ${held.pid} on ${held.host}; wait for it, or stop it first`,
    );
  const { pid, started, host } = thisProcess();
  database
    .prepare("INSERT OR REPLACE INTO locks (run_id, pid, started, host, token) VALUES (?, ?, ?, ?, ?)")
    .run(id, pid, started, host, token);
}
