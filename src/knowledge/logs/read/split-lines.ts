import { isUtf8 } from "node:buffer";

/** Lines longer than this are cut; the rest of the line is read past and not kept. */
export const maxLineBytes = 64 * 1024;

export type LineEnd = "\n" | "\r";

/** What happened while splitting; the counters grow as lines are read. */
export type SplitReport = { lines: number; cutLines: number; firstCutLine: number; latinLines: number };

export function createSplitReport(): SplitReport {
  return { lines: 0, cutLines: 0, firstCutLine: 0, latinLines: 0 };
}

/** Lines end in `\n` (or `\r\n`); only a file that begins with `\r` ends and has no `\n` ends them in `\r`. */
export function guessLineEnd(head: Uint8Array): LineEnd {
  return head.includes(10) || !head.includes(13) ? "\n" : "\r";
}

/**
 * Splits UTF-8 bytes into batches of lines without their ends. Where the chunks are cut does not matter; memory is
 * bounded by one chunk and one line.
 */
export async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  end: LineEnd,
  report: SplitReport,
): AsyncGenerator<string[]> {
  const endByte = end.charCodeAt(0);
  let rest: Uint8Array = new Uint8Array(0);
  let skipping = false;
  for await (const incoming of source) {
    let chunk = incoming;
    if (skipping) {
      const next = chunk.indexOf(endByte);
      if (next < 0) continue;
      chunk = chunk.subarray(next + 1);
      skipping = false;
    }
    const last = chunk.lastIndexOf(endByte);
    if (last < 0) {
      rest = concat(rest, chunk);
    } else {
      yield decodeLines(concat(rest, chunk.subarray(0, last)), end, report);
      rest = chunk.slice(last + 1);
    }
    if (rest.length <= maxLineBytes + 4) continue;
    yield decodeLines(takePrefix(rest, maxLineBytes + 4), end, report);
    rest = new Uint8Array(0);
    skipping = true;
  }
  if (rest.length > 0) yield decodeLines(rest, end, report);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.length === 0 ? b : Buffer.concat([a, b]);
}

/** At most `length` bytes, not cutting a character in two. */
function takePrefix(bytes: Uint8Array, length: number): Uint8Array {
  let end = Math.min(length, bytes.length);
  while (end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** Decodes lines at once where they are valid UTF-8, else line by line, taking invalid lines as Latin-1. */
function decodeLines(bytes: Uint8Array, end: LineEnd, report: SplitReport): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines = isUtf8(buffer) ? buffer.toString("utf8").split(end) : decodeMixed(buffer, end, report);
  for (let index = 0; index < lines.length; index += 1) lines[index] = trimLine(lines[index] ?? "", report);
  return lines;
}

function decodeMixed(buffer: Buffer, end: LineEnd, report: SplitReport): string[] {
  const lines: string[] = [];
  for (let start = 0; start <= buffer.length; ) {
    const found = buffer.indexOf(end, start);
    const stop = found < 0 ? buffer.length : found;
    const line = buffer.subarray(start, stop);
    const valid = isUtf8(line);
    if (!valid) report.latinLines += 1;
    lines.push(line.toString(valid ? "utf8" : "latin1"));
    start = stop + 1;
  }
  return lines;
}

/** Without the `\r` before `\n`, and not longer than the limit. */
function trimLine(line: string, report: SplitReport): string {
  report.lines += 1;
  if (line.length > maxLineBytes / 4 && Buffer.byteLength(line) > maxLineBytes) return cutLine(line, report);
  return line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line;
}

function cutLine(line: string, report: SplitReport): string {
  report.cutLines += 1;
  if (report.firstCutLine === 0) report.firstCutLine = report.lines;
  return Buffer.from(takePrefix(Buffer.from(line), maxLineBytes)).toString("utf8");
}
