import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../contract/error.ts";
import { makeFolder } from "./make-folder.ts";
import { schema, schemaVersion } from "./sqlite-schema.ts";
import { storeError } from "./store-error.ts";

/**
 * A commit survives the death of the process; sizes are for many debates at once (16 MB of cache, a checkpoint every 16 MB).
 * A turn's entry is about 2 KB: pages of 8 KB waste less on such rows than SQLite's 4 KB.
 */
const pragmas = `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -16000; PRAGMA wal_autocheckpoint = 2000;`;

/** Opens the file, making it and its tables if they are not there. */
export function openDatabase(file: string): DatabaseSync {
  if (file !== ":memory:") makeFolder(dirname(file));
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec(pragmas);
  transactions(database)(() => {
    const { user_version: version } = database.prepare("PRAGMA user_version").get() as { user_version: number };
    if (version === 0) database.exec(`${schema} PRAGMA user_version = ${schemaVersion};`);
    else if (version !== schemaVersion)
      throw new ParleyError(
        "corrupt_store",
        `${file} was written by ${version > schemaVersion ? "a newer" : "an older"} Parley (layout ${version}, this one knows ${schemaVersion}); give another place with --store`,
      );
  });
  return database;
}

/** Runs work as one transaction; a failure undoes all of it. */
export function transactions(database: DatabaseSync): (work: () => void) => void {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  return (work) => {
    begin.run();
    try {
      work();
      commit.run();
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  };
}

/** Runs `work`; a failure of the store is said in words. */
export function attempt<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeError(file, error);
  }
}
