import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import type { LogSource } from "../../../contract/parsed-log.ts";
import type { FoundSource } from "./sources.ts";

const headBytes = 64 * 1024;
export const longestLine = 64 * 1024;
const longestExport = 16 * 1024 * 1024;
const exportHead = /^\s*\{[^{[]{0,200}"(?:resourceSpans|resourceLogs|items)"\s*:\s*\[/;

/**
 * Reads a source as batches of lines: decompresses gzip, detects encodings, bounds memory. `report` receives counts
 * and problems; a source that is not text yields nothing.
 */
export async function* readLines(
  source: FoundSource,
  report: LogSource,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): AsyncGenerator<string[]> {
  try {
    yield* readText(source.path === null ? stdin : createReadStream(source.path), report);
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    report.problems.push(`could not be read: ${error.message}`);
  }
}

/** Reads any bytes as batches of lines; see `readLines`. */
export async function* readText(raw: AsyncIterable<Uint8Array>, report: LogSource): AsyncGenerator<string[]> {
  const packed = await peek(countBytes(raw, report));
  const isGzip = packed.head[0] === 0x1f && packed.head[1] === 0x8b;
  const damage = (reason: string) =>
    report.problems.push(`the gzip data is damaged or cut off (${reason}); what could be unpacked was read`);
  const { head, bytes } = await peek(skipZeros(isGzip ? gunzipBytes(packed.bytes, damage) : packed.bytes));
  const encoding = head[0] === 0xff && head[1] === 0xfe ? "utf-16le" : head[0] === 0xfe ? "utf-16be" : "utf-8";
  if (encoding === "utf-8" && looksBinary(head.subarray(0, 8192))) {
    report.problems.push("skipped: binary data, not text; an archive other than gzip has to be unpacked first");
    return;
  }
  if (head.length === 0) report.problems.push("it is empty");
  report.encoding = encoding;
  const isExport = exportHead.test(Buffer.from(head.subarray(0, 512)).toString("latin1"));
  yield* splitLines(bytes, new TextDecoder(encoding), isExport ? longestExport : longestLine, report);
}

/** Splits text into batches of lines; memory is bounded by one chunk and one line. */
async function* splitLines(
  source: AsyncIterable<Uint8Array>,
  decoder: TextDecoder,
  limit: number,
  report: LogSource,
): AsyncGenerator<string[]> {
  const cut = { count: 0, first: 0 };
  const finish = (line: string): string => {
    report.lines += 1;
    if (line.length > limit) {
      cut.count += 1;
      cut.first ||= report.lines;
      return line.slice(0, limit);
    }
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  let rest = "";
  let skipping = false;
  for await (const chunk of source) {
    const lines = decoder.decode(chunk, { stream: true }).split("\n");
    const [first = ""] = lines;
    if (lines.length === 1 && skipping) continue;
    lines[0] = skipping ? "" : rest + first;
    rest = lines.pop() ?? "";
    if (skipping && lines.length > 0) lines.shift();
    skipping = false;
    const done = lines.map(finish);
    if (rest.length > limit) {
      done.push(finish(rest));
      [rest, skipping] = ["", true];
    }
    yield done;
  }
  rest += decoder.decode();
  if (rest !== "") yield [finish(rest)];
  if (cut.count > 0)
    report.problems.push(
      `${cut.count} lines are longer than ${limit} characters and were cut (first: line ${cut.first})`,
    );
}

function looksBinary(sample: Uint8Array): boolean {
  const odd = sample.filter((byte) => byte < 9 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)).length;
  return odd > sample.length * 0.02 + 1;
}

async function* countBytes(source: AsyncIterable<Uint8Array>, report: LogSource): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    report.bytes += chunk.length;
    yield chunk;
  }
}

async function* skipZeros(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let hasBegun = false;
  for await (const chunk of source) {
    const start = hasBegun ? 0 : chunk.findIndex((byte) => byte !== 0);
    if (start < 0) continue;
    hasBegun = true;
    yield start > 0 ? chunk.subarray(start) : chunk;
  }
}

async function peek(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let length = 0;
  while (length < headBytes) {
    const next = await iterator.next();
    if (next.done) break;
    first.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(first).subarray(0, headBytes), bytes: resume(first, iterator) };
}

async function* resume(first: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** Decompresses gzip. Damaged data ends the stream after everything that could be read, and is reported to `onDamage`. */
async function* gunzipBytes(
  source: AsyncIterable<Uint8Array>,
  onDamage: (reason: string) => void,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const done: Uint8Array[] = [];
  let failure: Error | null = null;
  gunzip.on("data", (bytes: Uint8Array) => done.push(bytes));
  const ended = new Promise<void>((resolve) => gunzip.on("close", resolve));
  gunzip.on("error", (error) => (failure = error));
  for await (const chunk of source) {
    await Promise.race([new Promise((resolve) => gunzip.write(chunk, resolve)), ended]);
    yield* done.splice(0);
    if (failure !== null) break;
  }
  if (failure === null) gunzip.end();
  await ended;
  yield* done;
  if (failure !== null) onDamage((failure as Error).message);
}
