import { isUtf8 } from "node:buffer";

/** Lines longer than this are cut; the rest of the line is read past and not kept. */
export const maxLineBytes = 64 * 1024;
/** Exports of OpenTelemetry and of Kubernetes hold thousands of records on one line. */
const maxExportBytes = 16 * 1024 * 1024;
const exportHead = /^\s*\{[^{[]{0,200}"(?:resourceSpans|resourceLogs|items)"\s*:\s*\[/;

/** How long a line may be in a file that begins like this. */
export function chooseLineLimit(head: Uint8Array): number {
  return exportHead.test(Buffer.from(head.subarray(0, 512)).toString("latin1")) ? maxExportBytes : maxLineBytes;
}

export type LineEnd = "\n" | "\r";

/** What happened while splitting; the counters grow as lines are read. */
export type SplitReport = {
  lines: number;
  cutLines: number;
  firstCutLine: number;
  latinLines: number;
  /** How many bytes of a line are kept. */
  limit: number;
};

export function createSplitReport(limit = maxLineBytes): SplitReport {
  return { lines: 0, cutLines: 0, firstCutLine: 0, latinLines: 0, limit };
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
  let rest: Uint8Array[] = [];
  let length = 0;
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
    if (last >= 0) {
      yield decodeLines(concat([...rest, chunk.subarray(0, last)]), end, report);
      [rest, length] = [[], 0];
    }
    const left = last < 0 ? chunk : chunk.slice(last + 1);
    rest.push(left);
    length += left.length;
    if (length <= report.limit + 4) continue;
    yield decodeLines(takePrefix(concat(rest), report.limit + 4), end, report);
    [rest, length] = [[], 0];
    skipping = true;
  }
  if (length > 0) yield decodeLines(concat(rest), end, report);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const full = parts.filter(({ length }) => length > 0);
  return full.length === 1 && full[0] !== undefined ? full[0] : Buffer.concat(full);
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
  if (line.length > report.limit / 4 && Buffer.byteLength(line) > report.limit) return cutLine(line, report);
  return line.charCodeAt(line.length - 1) === 13 ? line.slice(0, -1) : line;
}

function cutLine(line: string, report: SplitReport): string {
  report.cutLines += 1;
  if (report.firstCutLine === 0) report.firstCutLine = report.lines;
  return Buffer.from(takePrefix(Buffer.from(line), report.limit)).toString("utf8");
}
