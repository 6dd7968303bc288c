import { accessSync, chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { ParleyError } from "../contract/error.ts";

const sqlite = process.getBuiltinModule("node:sqlite");

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
  if (measureLogBytes(file) === 0 && !existsSync(`${file}-shm`)) return openImmutable(file);
  const database = new sqlite.DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  try {
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return opened(database);
  } catch (error) {
    database.close();
    const code = (error as { errcode?: number }).errcode ?? 0;
    if (!noPlaceForLog.has(code & 0xff)) throw error;
    return measureLogBytes(file) === 0 ? openImmutable(file) : openCopy(file);
  }
}

/** READONLY, IOERR, FULL and CANTOPEN: the log's index cannot be made. */
const noPlaceForLog = new Set([8, 10, 13, 14]);

function measureLogBytes(file: string): number {
  return statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function openImmutable(file: string): Readable {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return opened(new sqlite.DatabaseSync(url, { readOnly: true }));
}

/** Opens a copy of a store file that is removed when it is closed. */
function openCopy(file: string): Readable {
  let folder = "";
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    folder = mkdtempSync(join(tmpdir(), "parley-read-"));
    const copy = join(folder, "parley.db");
    for (const part of ["", "-wal"])
      if (part === "" || existsSync(`${file}${part}`)) copyFileSync(`${file}${part}`, `${copy}${part}`);
    chmodSync(copy, 0o600);
    const database = new sqlite.DatabaseSync(copy);
    database.exec("PRAGMA query_only = 1");
    process.once("exit", remove);
    return opened(database, () => {
      process.off("exit", remove);
      remove();
    });
  } catch (cause) {
    if (folder !== "") remove();
    throw new ParleyError(
      "store_failed",
      `the store ${file} was not closed properly and cannot be written, so it is read from a copy, and ${tmpdir()} has no place for one (${(cause as Error).message}); set TMPDIR to a folder with room`,
      { cause },
    );
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
