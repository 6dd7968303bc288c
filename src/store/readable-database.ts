import { accessSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

/** A database that is only read; `close` removes what was made to read it. */
type Readable = { database: DatabaseSync; close(): void };

/** True when this process may write the file and make others beside it, which SQLite needs. */
export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Opens a store file that cannot be written. One that was closed properly is all in one file. One whose writer still runs
 * is read along with it. What a dead writer left in its log can only be read from a copy where SQLite may write.
 */
export function openReadable(file: string): Readable {
  if (!hasLog(file)) return opened(new DatabaseSync(immutable(file), { readOnly: true }));
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  try {
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return opened(database);
  } catch (error) {
    database.close();
    const code = (error as { errcode?: number }).errcode ?? 0;
    if (!noPlaceForLog.has(code & 0xff)) throw error;
    return openCopy(file);
  }
}

/** READONLY and CANTOPEN: the log is there, but what goes with it cannot be made. */
const noPlaceForLog = new Set([8, 14]);

function hasLog(file: string): boolean {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return log !== undefined && (log.size > 0 || existsSync(`${file}-shm`));
}

function immutable(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return url;
}

function openCopy(file: string): Readable {
  const folder = mkdtempSync(join(tmpdir(), "parley-read-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "parley.db");
    for (const part of ["", "-wal"]) copyFileSync(`${file}${part}`, `${copy}${part}`);
    const database = new DatabaseSync(copy);
    database.exec("PRAGMA query_only = 1");
    process.once("exit", remove);
    return opened(database, () => {
      process.off("exit", remove);
      remove();
    });
  } catch (error) {
    remove();
    throw error;
  }
}

function opened(database: DatabaseSync, after = (): void => undefined): Readable {
  return {
    database,
    close() {
      database.close();
      after();
    },
  };
}
