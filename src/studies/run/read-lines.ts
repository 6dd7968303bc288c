import { closeSync, existsSync, openSync, readSync } from "node:fs";

const chunkSize = 1 << 20;

/** Calls back for each complete line of a file with its place in bytes; a last line that a crash cut off is not one. */
export function visitLines(file: string, onLine: (line: string, start: number, length: number) => void): void {
  if (!existsSync(file)) return;
  const handle = openSync(file, "r");
  const chunk = Buffer.alloc(chunkSize);
  let rest = Buffer.alloc(0);
  let offset = 0;
  for (let size = readSync(handle, chunk); size > 0; size = readSync(handle, chunk)) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
    let from = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      if (at > from) onLine(bytes.toString("utf8", from, at), offset + from, at - from);
      from = at + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
    offset += from;
  }
  closeSync(handle);
}
