import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { ParleyError } from "../../contract/error.ts";
import { sha256 } from "../../engine/hash.ts";
import type { DatasetRow } from "../../engine/pack.ts";
import { isRecord } from "../../text/json.ts";

const maxUnpacked = 400 * 2 ** 20;

/** Reads a dataset file, decompressed, with its hash; refuses anything but UTF-8. */
export function readText(path: string): { path: string; text: string; hash: string } {
  const packed = orRefuse(`cannot read the dataset ${path}`, () => {
    if (statSync(path).isCharacterDevice()) throw new Error("it is a device");
    return readFileSync(path);
  });
  const isGzip = packed[0] === 0x1f && packed[1] === 0x8b;
  const damaged = `${path} is a damaged or cut off gzip file, or one of over ${maxUnpacked / 2 ** 20} MB`;
  const bytes = isGzip ? orRefuse(damaged, () => gunzipSync(packed, { maxOutputLength: maxUnpacked })) : packed;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const text = orRefuse(`${path} is not UTF-8 text; save it as UTF-8 and try again`, () => decoder.decode(bytes));
  if (text === "") throw new ParleyError("bad_input", `${path} is empty; a dataset needs at least one row`);
  if (text.includes("\0"))
    throw new ParleyError("bad_input", `${path} has zero bytes in it; it looks like a binary file, not a dataset`);
  return { path, text, hash: sha256(text) };
}

function orRefuse<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new ParleyError("bad_input", `${what}: ${(cause as Error).message}`, { cause });
  }
}

export function readJsonl(text: string, path: string): DatasetRow[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === "") return [];
    const at = `${path}:${i + 1}`;
    const value: unknown = orRefuse(`${at}: this is not valid JSON`, () => JSON.parse(line));
    if (isRecord(value)) return [{ value, at }];
    const kind = Array.isArray(value) ? "a list" : typeof value;
    throw new ParleyError("bad_input", `${at}: a row is a JSON object, this is ${kind}`);
  });
}

export function readCsv(text: string, path: string): DatasetRow[] {
  const options = { columns: true, bom: true, skip_empty_lines: true, info: true, delimiter: guessDelimiter(text) };
  const rows: unknown = orRefuse(`${path} is not valid CSV`, () => parse(text, options));
  return (rows as { record: Record<string, string>; info: { lines: number } }[]).map(({ record, info }) => ({
    value: record,
    at: `${path}:${info.lines}`,
  }));
}

export function guessDelimiter(text: string): string {
  const header = text.split(/\r?\n/, 1)[0] ?? "";
  const count = (mark: string): number => header.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}
