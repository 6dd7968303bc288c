import { closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { makeFolder } from "./make-folder.ts";

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

/** Opens a file to be written piece by piece beside its place. A device or a pipe has no place beside it, so it is written directly. */
export function openDraft(file: string, ending = `.${process.pid}.new`): Draft {
  return attemptWrite(file, () => {
    makeFolder(dirname(file));
    const found = statSync(file, { throwIfNoEntry: false });
    if (found && !found.isFile()) return direct(file);
    const target = found ? realpathSync(file) : file;
    return beside(file, target, { path: `${target}${ending}`, mode: found ? found.mode & 0o777 : 0o666 });
  });
}

function direct(file: string): Draft {
  const handle = openSync(file, "w");
  const close = (): void => closeSync(handle);
  const write = (content: string | Uint8Array): void => attemptWrite(file, () => writeFileSync(handle, content));
  return { path: file, write, finish: close, abandon: close };
}

function beside(file: string, target: string, { path, mode }: { path: string; mode: number }): Draft {
  const handle = openSync(path, "w", mode);
  let isOpen = true;
  const close = (keep: boolean): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
    if (!keep) rmSync(path, { force: true });
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
        close(true);
        renameSync(path, target);
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

/** What the file system says of a file that cannot be written, in words that name the file and say what became of it. */
export function writeError(file: string, error: unknown, consequence: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof ParleyError) return error;
  const text = `${file} could not be written: ${reasons[code] ?? message}; ${consequence}`;
  return new ParleyError("write_failed", text, { cause: error });
}

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
