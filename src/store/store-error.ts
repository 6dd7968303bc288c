import { ParleyError } from "../contract/error.ts";

/** SQLite's primary result codes that a user can do something about. */
const known: Record<number, { code: "store_failed" | "corrupt_store"; text: string }> = {
  5: { code: "store_failed", text: "is locked by another process; try again when it is done" },
  6: { code: "store_failed", text: "is locked by another process; try again when it is done" },
  8: { code: "store_failed", text: "is read-only; make it writable, or give another place with --store" },
  10: { code: "store_failed", text: "could not be read or written (disk error)" },
  11: { code: "corrupt_store", text: "is damaged; what can be read can be exported, then move the file away" },
  13: { code: "store_failed", text: "could not be written: the disk is full; nothing already stored is lost" },
  14: {
    code: "store_failed",
    text: "could not be opened; check that the folder exists and is writable, or give another with --store",
  },
  26: { code: "corrupt_store", text: "is not a Parley store (not an SQLite file); give another place with --store" },
};

/** What a failure of the store means, in words; other errors pass through. */
export function storeError(file: string, error: unknown): unknown {
  const errcode = (error as { errcode?: number }).errcode;
  if (typeof errcode === "number") {
    const meaning = known[errcode & 0xff];
    const text = meaning?.text ?? `failed: ${(error as Error).message}`;
    return new ParleyError(meaning?.code ?? "store_failed", `the store ${file} ${text}`, { cause: error });
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && unusable.has(code))
    return new ParleyError(
      "store_failed",
      `the store ${file} could not be opened (${code}); give a folder that can be written with --store`,
      { cause: error },
    );
  return error;
}

/** What the file system says of a place where no store can be. */
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
