import { ParleyError } from "../contract/error.ts";

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
