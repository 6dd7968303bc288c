import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { sql } from "./database.ts";
import { makeFolder, syncFolder } from "./replace-file.ts";
import { createUpkeep, type Upkeep } from "./sql-upkeep.ts";
import { openSqlite, type SqliteDatabase } from "./sqlite.ts";
import { dropLosses } from "./tally.ts";

const sqlite = process.getBuiltinModule("node:sqlite");

/** Looks after a store in a file. */
export function fileUpkeep(file: string): Upkeep {
  return createUpkeep(openToChange(file));
}

/** Writes the store as it is at this moment to another file, while others go on using it. */
export async function backupStore(file: string, to: string): Promise<void> {
  requireStore(file);
  if (existsSync(to)) throw new ParleyError("bad_input", `${to} is there already; give another name, or remove it`);
  await copyStore(file, to);
}

/** Puts a backup in the place of a store; one that is there is replaced only when asked, and only when nobody has it open. */
export async function restoreStore(from: string, file: string, mayReplace: boolean): Promise<void> {
  requireStore(from);
  if (existsSync(file)) {
    if (!mayReplace)
      throw new ParleyError("bad_input", `there is a store in ${file} already; --replace puts the backup in its place`);
    requireUnused(file);
  }
  await copyStore(from, file, () => {
    for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    dropLosses(file);
  });
}

/** A whole and sound copy, or none. */
async function copyStore(from: string, to: string, beforeRename = (): void => undefined): Promise<void> {
  makeFolder(dirname(to), 0o700);
  const draft = `${to}.${process.pid}.new`;
  try {
    const database = openSqlite(from);
    try {
      await database.run(sql`VACUUM INTO ${draft}`);
    } catch (error) {
      throw database.explain(error);
    } finally {
      await database.close();
    }
    chmodSync(draft, 0o600);
    checkCopy(draft);
    beforeRename();
    renameSync(draft, to);
    syncFolder(dirname(to));
  } finally {
    rmSync(draft, { force: true });
  }
}

function checkCopy(file: string): void {
  const copy = new sqlite.DatabaseSync(file);
  try {
    const said = copy.prepare("PRAGMA integrity_check(1)").get()?.integrity_check;
    if (said !== "ok") throw new ParleyError("corrupt_store", `the copy is not sound: ${String(said)}`);
  } finally {
    copy.close();
  }
  const handle = openSync(file, "r+");
  fsyncSync(handle);
  closeSync(handle);
}

/** Throws when another process has the store open: it would go on writing to the file that was replaced. */
function requireUnused(file: string): void {
  const database = new sqlite.DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
  } catch (cause) {
    throw new ParleyError("store_failed", `the store ${file} is in use by another process; stop it first`, { cause });
  } finally {
    database.close();
  }
}

function requireStore(file: string): void {
  if (!existsSync(file)) throw new ParleyError("bad_input", `there is no store in ${file}`);
}

function openToChange(file: string): SqliteDatabase {
  requireStore(file);
  const database = openSqlite(file);
  if (!database.isReadOnly) return database;
  void database.close();
  throw new ParleyError("store_failed", `the store ${file} is read-only; nothing was changed`);
}
