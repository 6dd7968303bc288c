import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { type Held, takeFileLease } from "./file-lease.ts";
import { makeFolder, syncFolder } from "./make-folder.ts";
import { writeError } from "./write-error.ts";

/** Writes a file whole or not at all: what was there before stays until the new content is complete. */
export function replaceFile(file: string, content: string): void {
  const draft = openDraft(file);
  draft.write(content);
  draft.finish();
}

/** A file in the making. */
export type Draft = {
  /** Where it is while it is not complete. */
  path: string;
  write(content: string | Uint8Array): void;
  /** Puts it in its place. */
  finish(): void;
  /** Closes it without putting it in its place; what was written so far can be kept where it is. */
  abandon(keep: boolean): void;
};

/**
 * Opens a file to be written piece by piece beside its place. A device or a pipe has no place beside it, so it is written
 * directly. A draft whose ending is the same for every process is held by one at a time.
 */
export function openDraft(file: string, ending = `.${process.pid}.new`, held?: Held): Draft {
  return attemptWrite(file, () => {
    makeFolder(dirname(file));
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && !found.isFile()) return direct(file);
    const target = found ? realpathSync(file) : file;
    const path = `${target}${ending}`;
    const release = held ? takeFileLease(`${path}.lock`, held) : () => undefined;
    return beside(file, target, { path, release, mode: found ? found.mode & 0o777 : 0o666 });
  });
}

function direct(file: string): Draft {
  const handle = openSync(file, "w");
  const close = (): void => closeSync(handle);
  const write = (content: string | Uint8Array): void => attemptWrite(file, () => writeFileSync(handle, content));
  return { path: file, write, finish: close, abandon: close };
}

type Beside = { path: string; mode: number; release(): void };

function beside(file: string, target: string, { path, mode, release }: Beside): Draft {
  const handle = openSync(path, "w", mode);
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

/** Does something to a file; what the file system says is put into words that name the file. */
function attemptWrite<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw writeError(file, error, "what was there before is untouched");
  }
}
