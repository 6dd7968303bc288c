import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../../contract/error.ts";
import { createLockedError } from "../lease.ts";
import { attempt, createTransactions, openDatabase } from "../sqlite/sqlite-database.ts";
import { sqliteStore } from "../sqlite/sqlite-store.ts";

/** Works on a store file as a whole, and closes it however the work ends. */
export function workOnFile<T>(file: string, work: (database: DatabaseSync) => T): T {
  requireStore(file);
  return attempt(file, () => {
    const { database, close, isReadOnly } = openDatabase(file);
    try {
      if (isReadOnly) throw new ParleyError("store_failed", `the store ${file} is read-only; nothing was changed`);
      return work(database);
    } finally {
      close();
    }
  });
}

export function requireStore(file: string): void {
  if (!existsSync(file)) throw new ParleyError("bad_input", `there is no store in ${file}`);
}

/** Changes a store in one transaction; what is deleted is overwritten, and words are indexed anew when somebody searches. */
export function changeStore(database: DatabaseSync, change: () => void): void {
  database.exec("PRAGMA secure_delete = ON");
  createTransactions(database)(() => {
    change();
    forgetWords(database);
  });
}

/** Empties the index of words: it names runs by their place in the file, which may change. */
export function forgetWords(database: DatabaseSync): void {
  database.exec("INSERT INTO search (search) VALUES ('delete-all'); UPDATE searched SET runs = 0, chunks = 0");
}

/** Throws when a living process has one of the runs. */
export async function requireUnheld(file: string, ids: ReadonlySet<string>): Promise<void> {
  const store = sqliteStore(file);
  try {
    const held = (await store.held()).find(({ run, state }) => state === "held" && ids.has(run));
    if (held) throw createLockedError(held.run, held.holder, held.leftMs);
  } finally {
    await store.close();
  }
}

/**
 * Gives the space of what was deleted back, so that nothing of it is left in the file or in its log. False when another
 * process has the store open: its log goes when that one closes it.
 */
export function shrink(database: DatabaseSync): boolean {
  database.exec("VACUUM");
  return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
}
