import type { JournalEntry } from "../contract/journal.ts";
import { genesis } from "../engine/journal.ts";
import { groupCommit } from "./group-commit.ts";
import { createPatience, type PatienceOptions } from "./patience.ts";
import { attempt, openDatabase, transactions } from "./sqlite-database.ts";
import { runLocks } from "./sqlite-locks.ts";
import { storedPieces } from "./sqlite-pieces.ts";
import { type EntryRow, entryOf, listQuery, type RunRow, runColumns, runOf } from "./sqlite-rows.ts";
import type { Store } from "./store.ts";
import { storeError } from "./store-error.ts";

/** Opens the store in one SQLite file, making it if it is not there; one that cannot be written can still be read. */
export function sqliteStore(file: string, options: PatienceOptions = {}): Store {
  const guard = <T>(work: () => T): T => attempt(file, work);
  const patience = createPatience(options);
  const read = <T>(work: () => T): Promise<T> => patience.read(() => guard(work));
  const { database, close, unwritable } = guard(() => openDatabase(file, options.waitMs));
  const inTransaction = transactions(database);
  const commits = groupCommit((work) => {
    if (unwritable !== undefined) throw storeError(file, unwritable);
    guard(() => inTransaction(work));
  }, patience);
  const locks = runLocks(database, commits);
  const piecesOf = storedPieces(database);
  const insertRun = database.prepare(
    "INSERT INTO runs (id, manifest, case_id, key, batch, created_at) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const insertProgress = database.prepare(
    "INSERT INTO progress (run_id, status, outcome, head_hash, entry_count) VALUES (?, ?, ?, ?, 0)",
  );
  const insertEntry = database.prepare(
    "INSERT INTO entries (run_id, seq, prev, hash, body, pieces) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const moveHead = database.prepare("UPDATE progress SET head_hash = ?, entry_count = ? WHERE run_id = ?");
  const updateStatus = database.prepare("UPDATE progress SET status = ?, outcome = ? WHERE run_id = ?");
  const selectRun = database.prepare(`${runColumns} WHERE id = ?`);
  const selectEntries = database.prepare("SELECT seq, prev, hash, body FROM entries WHERE run_id = ? ORDER BY seq");

  const append = (id: string, { seq, prev, hash, body }: JournalEntry, text: string, writePieces: () => string) =>
    commits.add(id, () => {
      insertEntry.run(id, seq, prev, hash, text, writePieces());
      moveHead.run(hash, seq + 1, id);
      if (body.kind === "end") updateStatus.run("finished", body.result.outcome, id);
    });

  return {
    location: file,
    create: ({ id, manifest, caseId, key, batch, status, outcome, createdAt }) =>
      commits.add(id, () => {
        insertRun.run(id, JSON.stringify(manifest), caseId, key, batch, createdAt);
        insertProgress.run(id, status, outcome, genesis);
      }),
    async get(id) {
      const row = (await read(() => selectRun.get(id))) as RunRow | undefined;
      return row ? runOf(row) : null;
    },
    async list(filter = {}) {
      const { sql, values } = listQuery(filter);
      return ((await read(() => database.prepare(sql).all(...values))) as RunRow[]).map(runOf);
    },
    async ids() {
      const rows = (await read(() => database.prepare("SELECT id FROM runs ORDER BY rowid").all())) as { id: string }[];
      return rows.map((row) => row.id);
    },
    setStatus: (id, status, outcome) => commits.add(id, () => void updateStatus.run(status, outcome, id)),
    async journal(id) {
      const rows = (await read(() => selectEntries.all(id))) as EntryRow[];
      const own = piecesOf(id);
      return {
        entries: rows.map((row) => entryOf(row, id)),
        append: async (entry, text, pieces) => {
          const fresh = guard(() => own.fresh(pieces));
          await append(id, entry, text, () => own.write(fresh));
        },
        prompt: (hash) => read(() => own.prompt(hash)),
      };
    },
    lock: locks.take,
    async close() {
      commits.flush();
      guard(close);
    },
  };
}
