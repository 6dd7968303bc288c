import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../contract/error.ts";
import { schema, schemaVersion } from "./sqlite-schema.ts";
import { storeError } from "./store-error.ts";

/** Opens the file, making it and its tables if they are not there. */
export function openDatabase(file: string): DatabaseSync {
  if (file !== ":memory:") mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;");
  inTransaction(database, () => {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version > schemaVersion)
      throw new ParleyError(
        "corrupt_store",
        `${file} was written by a newer Parley (layout ${version}, this one knows ${schemaVersion})`,
      );
    if (version === 0) database.exec(`${schema} PRAGMA user_version = ${schemaVersion};`);
  });
  return database;
}

/** Runs `work` as one transaction; a failure undoes all of it. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Runs `work`; a failure of the store is said in words. */
export function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(file, error);
  }
}
