import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "../node-parts.ts";
import { ParleyError } from "../../contract/error.ts";
import { makeFolder, syncFolder } from "../make-folder.ts";
import { attempt, openDatabase } from "../sqlite/sqlite-database.ts";
import { dropTally } from "../sqlite/tally.ts";
import { forgetWords, requireStore } from "./open-for-upkeep.ts";

/** Writes the store as it is at this moment to another file, while others go on using it. */
export function backupStore(file: string, to: string): void {
  requireStore(file);
  if (existsSync(to)) throw new ParleyError("bad_input", `${to} is there already; give another name, or remove it`);
  copyStore(file, to);
}

/** Puts a backup in the place of a store; one that is there is replaced only when asked, and only when nobody has it open. */
export function restoreStore(from: string, file: string, mayReplace: boolean): void {
  requireStore(from);
  if (existsSync(file)) {
    if (!mayReplace)
      throw new ParleyError("bad_input", `there is a store in ${file} already; --replace puts the backup in its place`);
    requireUnused(file);
  }
  copyStore(from, file, () => {
    for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    dropTally(file);
  });
}

/** A whole and sound copy, or none. */
function copyStore(from: string, to: string, beforeRename = (): void => undefined): void {
  makeFolder(dirname(to), 0o700);
  const draft = `${to}.${process.pid}.new`;
  try {
    attempt(from, () => {
      const { database, close } = openDatabase(from);
      try {
        database.prepare("VACUUM INTO ?").run(draft);
      } finally {
        close();
      }
    });
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
  const copy = new DatabaseSync(file);
  try {
    const said = copy.prepare("PRAGMA integrity_check(1)").get()?.integrity_check;
    if (said !== "ok") throw new ParleyError("corrupt_store", `the copy is not sound: ${String(said)}`);
    forgetWords(copy);
  } finally {
    copy.close();
  }
  const handle = openSync(file, "r+");
  fsyncSync(handle);
  closeSync(handle);
}

/** Throws when another process has the store open: it would go on writing to the file that was replaced. */
function requireUnused(file: string): void {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT");
  } catch (cause) {
    throw new ParleyError("store_failed", `the store ${file} is in use by another process; stop it first`, { cause });
  } finally {
    database.close();
  }
}
