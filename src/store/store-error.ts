import { ParleyError } from "../contract/error.ts";

type Meaning = { code: "store_failed" | "corrupt_store"; text: string; mayPass?: boolean };

const locked: Meaning = {
  code: "store_failed",
  text: "is locked by another process; go on when that one is done",
  mayPass: true,
};
const full: Meaning = {
  code: "store_failed",
  text: "could not be written: the disk is full; make room and go on, what is stored already is safe",
  mayPass: true,
};

/** SQLite's primary result codes that a user can do something about. */
const known: Record<number, Meaning> = {
  1: {
    code: "corrupt_store",
    text: "is not laid out as a Parley store, or is damaged; give another place with --store",
  },
  5: locked,
  6: locked,
  8: {
    code: "store_failed",
    text: "is read-only; make it and its folder writable, or give another place with --store",
  },
  10: {
    code: "store_failed",
    text: "could not be read or written (a disk error, or a limit on the size of files); what is stored already is safe",
  },
  11: { code: "corrupt_store", text: "is damaged; what can be read can be exported, then move the file away" },
  13: full,
  14: {
    code: "store_failed",
    text: "could not be opened; check that the folder exists and is writable, or give another with --store",
  },
  26: { code: "corrupt_store", text: "is not a Parley store (not an SQLite file); give another place with --store" },
};

/** Extended codes that mean more than their family: no room for the log's index is a full disk. */
const knownExactly: Record<number, Meaning> = { 4874: full };

/** What a failure of the store means, in words; other errors pass through. */
export function explainStoreError(file: string, error: unknown): unknown {
  const errcode = (error as { errcode?: number }).errcode;
  if (typeof errcode === "number") {
    const meaning = knownExactly[errcode] ?? known[errcode & 0xff];
    const text = meaning?.text ?? `failed: ${(error as Error).message}`;
    const details = { mayPass: meaning?.mayPass === true };
    return new ParleyError(meaning?.code ?? "store_failed", `the store ${file} ${text}`, { cause: error, details });
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && unusable.has(code))
    return new ParleyError(
      "store_failed",
      code === "ENOSPC"
        ? `the store ${file} could not be made: the disk is full; make room, or give another place with --store`
        : `the store ${file} could not be opened (${code}); give a folder that can be written with --store`,
      { cause: error },
    );
  return error;
}

/** What the file system says about a place where no store can be. */
const unusable = new Set([
  "EACCES",
  "EROFS",
  "ENOSPC",
  "ENOTDIR",
  "EEXIST",
  "EPERM",
  "ENOENT",
  "ENAMETOOLONG",
  "ELOOP",
]);
