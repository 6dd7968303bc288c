import { open, stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { ParleyError } from "../../../contract/error.ts";

/** Lines that were read, none when nothing was written for a while; `old` ones were there before the following began. */
export type FollowedLines = { lines: string[]; old: boolean };

const chunkBytes = 256 * 1024;
const longestLine = 64 * 1024;

/**
 * Reads a file and then whatever is written to it, until the signal. A file that is replaced or cut off is read from its
 * start; while it is missing, it is waited for.
 */
export async function* followFile(path: string, signal: AbortSignal, pollMs = 500): AsyncGenerator<FollowedLines> {
  const first = await stat(path).catch(() => null);
  if (!first?.isFile()) throw new ParleyError("bad_input", `${path}: no such file to follow`);
  let place = { inode: first.ino, offset: 0 };
  const text = new LineBuffer();
  let old = true;
  while (!signal.aborted) {
    const now = await stat(path).catch(() => null);
    if (now !== null && (now.ino !== place.inode || now.size < place.offset)) {
      place = { inode: now.ino, offset: 0 };
      text.clear();
    }
    const size = now?.size ?? 0;
    while (place.offset < size && !signal.aborted) {
      const bytes = await readChunk(path, place.offset);
      if (bytes.length === 0) break;
      place.offset += bytes.length;
      const lines = text.add(bytes);
      if (lines.length > 0) yield { lines, old };
    }
    old = false;
    yield { lines: [], old };
    await setTimeout(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

async function readChunk(path: string, offset: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Puts whole lines together from chunks of bytes; a line that grows too long is given out in pieces. */
export class LineBuffer {
  private decoder = new TextDecoder();
  private rest = "";

  add(bytes: Uint8Array): string[] {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split("\n");
    this.rest = lines.pop() ?? "";
    if (this.rest.length > longestLine) {
      lines.push(this.rest);
      this.rest = "";
    }
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  clear(): void {
    this.decoder = new TextDecoder();
    this.rest = "";
  }
}
