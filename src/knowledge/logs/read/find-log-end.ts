import { open } from "node:fs/promises";
import { isGzip } from "./gunzip-bytes.ts";
import type { FoundSource } from "./find-sources.ts";

const tailBytes = 64 * 1024;

/** The last lines of a file, without the first one, which may be cut; null for what is no plain file. */
export async function readTail({ path, bytes }: FoundSource): Promise<string[] | null> {
  if (path === null || bytes === null || bytes === 0) return null;
  const file = await open(path).catch(() => null);
  if (file === null) return null;
  try {
    const from = Math.max(0, bytes - tailBytes);
    const length = Math.min(bytes, tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    if (from === 0 && isGzip(buffer)) return null;
    const lines = buffer.subarray(0, bytesRead).toString("utf8").split(/\r?\n/);
    return from > 0 ? lines.slice(1) : lines;
  } finally {
    await file.close();
  }
}
