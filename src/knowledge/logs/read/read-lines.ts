import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { LogSource } from "../../../contract/parsed-log.ts";
import type { FoundSource } from "./find-sources.ts";
import { gunzipBytes, isGzip } from "./gunzip-bytes.ts";
import { chooseLineLimit, createSplitReport, guessLineEnd, splitLines } from "./split-lines.ts";
import { sniffEncoding, convertUtf16 } from "./text-encoding.ts";

const headBytes = 64 * 1024;
const chunkBytes = 64 * 1024;

const otherArchives: readonly { name: string; magic: readonly number[] }[] = [
  { name: "zip", magic: [0x50, 0x4b, 0x03, 0x04] },
  { name: "bzip2", magic: [0x42, 0x5a, 0x68] },
  { name: "xz", magic: [0xfd, 0x37, 0x7a, 0x58] },
  { name: "zstd", magic: [0x28, 0xb5, 0x2f, 0xfd] },
];

/**
 * Reads a source as batches of lines: gzip is unpacked, encodings are recognised, memory is bounded. What was read and
 * what was wrong with it goes into `report`; a source that cannot be read as text yields nothing and says why there.
 */
export async function* readLines(
  source: FoundSource,
  report: LogSource,
  stdin: AsyncIterable<Uint8Array> = process.stdin,
): AsyncGenerator<string[]> {
  try {
    yield* readText(source.path === null ? stdin : readBytes(source.path, source.bytes), report);
  } catch (error) {
    if (!isFileError(error)) throw error;
    report.problems.push(`could not be read: ${error.message}`);
  }
}

/** A file's bytes: a small file at once, a large one in chunks. */
async function* readBytes(path: string, bytes: number | null): AsyncGenerator<Uint8Array> {
  if (bytes !== null && bytes > 0 && bytes <= chunkBytes) yield await readFile(path);
  else yield* createReadStream(path, { highWaterMark: chunkBytes });
}

/** Reads bytes from anywhere as batches of lines; see `readLines`. */
export async function* readText(raw: AsyncIterable<Uint8Array>, report: LogSource): AsyncGenerator<string[]> {
  const packed = await peek(countBytes(raw, report));
  const damage = (reason: string) =>
    report.problems.push(`the gzip data is damaged or cut off (${reason}); what could be unpacked was read`);
  const opened = isGzip(packed.head) ? await peek(gunzipBytes(packed.bytes, damage)) : packed;
  const archive = otherArchives.find(({ magic }) => magic.every((byte, index) => opened.head[index] === byte));
  const { encoding, skip } = sniffEncoding(opened.head);
  if (archive || encoding === "binary") {
    const what = archive ? `${archive.name} archives are not read: unpack it first` : "binary data, not text";
    report.problems.push(`skipped: ${what}`);
    return;
  }
  if (opened.head.length === 0) report.problems.push("empty");
  const bytes = dropBytes(opened.bytes, skip);
  const text = encoding === "utf-8" ? { bytes, head: opened.head } : await peek(convertUtf16(bytes, encoding));
  const split = createSplitReport(chooseLineLimit(text.head));
  for await (const lines of splitLines(text.bytes, guessLineEnd(text.head), split)) {
    report.lines = split.lines;
    yield lines;
  }
  report.encoding = split.latinLines > 0 ? "mixed utf-8 and latin-1" : encoding;
  if (split.latinLines > 0) report.problems.push(`${split.latinLines} lines are not UTF-8 and were read as Latin-1`);
  if (split.cutLines > 0) {
    const first = `the first is line ${split.firstCutLine}`;
    report.problems.push(`${split.cutLines} lines are longer than ${split.limit} bytes and were cut (${first})`);
  }
}

async function* countBytes(source: AsyncIterable<Uint8Array>, report: LogSource): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    report.bytes += chunk.length;
    yield chunk;
  }
}

/** Looks at the first bytes without losing them. */
async function peek(
  source: AsyncIterable<Uint8Array>,
): Promise<{ head: Uint8Array; bytes: AsyncIterable<Uint8Array> }> {
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

async function* dropBytes(source: AsyncIterable<Uint8Array>, skip: number): AsyncGenerator<Uint8Array> {
  let left = skip;
  for await (const chunk of source) {
    if (chunk.length > left) yield left > 0 ? chunk.subarray(left) : chunk;
    left = Math.max(0, left - chunk.length);
  }
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}
