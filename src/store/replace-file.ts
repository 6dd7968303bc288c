import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { ParleyError } from "../contract/error.ts";

/** Looked up, not imported: an older Node could not even link the import. */
export const sqlite = process.getBuiltinModule("node:sqlite");

/** Creates a folder with its parents, durably. Node's recursive mkdir never returns where nothing can be created, such as under /proc. */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode });
    syncFolder(dirname(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Creates an empty file, and its folder, readable by the owner only, both durably; an existing file stays. */
export function makePrivateFile(file: string): void {
  const folder = dirname(file);
  makeFolder(folder, 0o700);
  if (existsSync(file)) return;
  closeSync(openSync(file, "a", 0o600));
  syncFolder(folder);
}

function syncFolder(folder: string): void {
  let handle: number;
  try {
    handle = openSync(folder, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(handle);
  } catch (error) {
    if (!["EINVAL", "EPERM", "EISDIR", "ENOTSUP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    closeSync(handle);
  }
}

/** Explains why a file could not be written, with its name and the consequence. */
export function writeError(file: string, error: unknown, consequence: string): unknown {
  const { code, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number };
  if (code === undefined || error instanceof ParleyError) return error;
  const reason = reasons[errcode === sqliteFull ? "ENOSPC" : code];
  const text = `${file} could not be written: ${reason ?? message}; ${consequence}`;
  return new ParleyError("write_failed", text, { cause: error });
}

const sqliteBusy = 5;
const sqliteFull = 13;

const reasons: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EFBIG: "files may not grow that large here (ulimit -f)",
  EROFS: "the file system is read-only",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
};

export type Held = { what: string; advice: string };

/**
 * Takes something for this process by a lock on a file; the returned function releases it. It is the kernel's lock on
 * a SQLite file without tables, so it ends with its process and never goes stale. Only its holder removes the file; whoever
 * locked a removed file tries again.
 */
export function takeFileLease(file: string, { what, advice }: Held): () => void {
  makeFolder(dirname(file));
  for (;;) {
    refuseLink(file);
    if (!existsSync(file)) writeFileSync(file, "", { flag: "a" });
    const seen = statSync(file, { throwIfNoEntry: false })?.ino;
    const isThere = (): boolean => seen !== undefined && seen === statSync(file, { throwIfNoEntry: false })?.ino;
    const database = new sqlite.DatabaseSync(file, { timeout: 0 });
    try {
      // SQLite would take the journal left beside a removed file for that of the next one.
      // The write finds a full disk before any work is begun.
      database.exec("PRAGMA journal_mode = MEMORY; PRAGMA user_version = 1; BEGIN IMMEDIATE");
    } catch (error) {
      database.close();
      if ((error as { errcode?: number }).errcode === sqliteBusy)
        throw new ParleyError("run_locked", `${what} by another process; ${advice}`);
      if (!isThere()) continue;
      // An empty lock file has no holder.
      if (statSync(file).size === 0) rmSync(file, { force: true });
      throw error;
    }
    if (isThere())
      return () => {
        if (!database.isOpen) return;
        rmSync(file, { force: true });
        database.close();
      };
    database.close();
  }
}

/** A file in a folder that the user named: a link there would lead elsewhere, and a pipe may never end. */
export function placeIn(folder: string, name: string): string {
  const file = join(folder, name);
  refuseLink(file);
  return file;
}

function refuseLink(file: string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found || found.isFile() || found.isDirectory()) return;
  const what = found.isSymbolicLink() ? "a link" : "not a plain file";
  throw new ParleyError("write_failed", `${file} is ${what}; remove it, or give another place`);
}

export function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    accessSync(dirname(file), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function replaceFile(file: string, content: string): void {
  const draft = openDraft(file);
  draft.write(content);
  draft.finish();
}

export type Draft = {
  path: string;
  write(content: string | Uint8Array): void;
  finish(): void;
  abandon(keep: boolean): void;
};

/**
 * Opens a draft next to a file, to be written piece by piece and then renamed. Devices and pipes are written
 * directly. A draft with the same name for every process is held by one at a time.
 */
export function openDraft(file: string, ending = `.${process.pid}.new`, held?: Held): Draft {
  return attemptWrite(file, () => {
    makeFolder(dirname(file));
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && !found.isFile()) return direct(file);
    if (found) refuseDatabase(file);
    const target = found ? realpathSync(file) : file;
    const path = `${target}${ending}`;
    const release = held ? takeFileLease(`${path}.lock`, held) : () => undefined;
    try {
      return beside(file, target, { path, release, mode: found ? found.mode & 0o777 : 0o666 });
    } catch (error) {
      release();
      throw error;
    }
  });
}

const databaseBegins = "SQLite format 3\0";

/** A command's output never replaces a store or its companion files. */
function refuseDatabase(file: string): void {
  const main = realpathSync(file).replace(/-(?:wal|shm|journal)$/, "");
  const begin = Buffer.alloc(databaseBegins.length);
  if (statSync(main, { throwIfNoEntry: false })?.isFile() !== true) return;
  const handle = openSync(main, "r");
  readSync(handle, begin);
  closeSync(handle);
  if (begin.toString("latin1") === databaseBegins)
    throw new ParleyError("write_failed", `${file} belongs to a store; give another place`);
}

function direct(file: string): Draft {
  const handle = openSync(file, "w");
  const close = (): void => closeSync(handle);
  const write = (content: string | Uint8Array): void => attemptWrite(file, () => writeFileSync(handle, content));
  return { path: file, write, finish: close, abandon: close };
}

type Beside = { path: string; mode: number; release(): void };

function beside(file: string, target: string, { path, mode, release }: Beside): Draft {
  rmSync(path, { force: true });
  const handle = openSync(path, "wx", mode);
  let isOpen = true;
  const close = (keep: boolean): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
    if (!keep) rmSync(path, { force: true });
    release();
  };
  const dropOnFailure = (work: () => void): void =>
    attemptWrite(file, () => {
      try {
        work();
      } catch (error) {
        close(false);
        throw error;
      }
    });
  return {
    path,
    write: (content) => dropOnFailure(() => writeFileSync(handle, content)),
    finish: () =>
      dropOnFailure(() => {
        fsyncSync(handle);
        closeSync(handle);
        isOpen = false;
        renameSync(path, target);
        syncFolder(dirname(target));
        release();
      }),
    abandon: close,
  };
}

function attemptWrite<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw writeError(file, error, "what was there before is untouched");
  }
}
