import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { ParleyError } from "../../contract/error.ts";
import { sha256 } from "../../engine/hash.ts";
import { parse } from "csv-parse/sync";
import type { DatasetRow } from "../../engine/pack.ts";
import { isRecord } from "../../text/json.ts";

export type SourceText = { path: string; text: string; hash: string };

export function readText(path: string): SourceText {
  const bytes = unpack(path, readBytes(path));
  if (bytes.length === 0) throw new ParleyError("bad_input", `${path} is empty; a dataset needs at least one row`);
  const text = decode(path, bytes);
  return { path, text, hash: sha256(text) };
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new ParleyError("bad_input", `cannot read the dataset ${path}: ${(cause as Error).message}`, { cause });
  }
}

function unpack(path: string, bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (cause) {
    throw new ParleyError("bad_input", `${path} is a damaged or cut off gzip file: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function decode(path: string, bytes: Buffer): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
  try {
    const text = new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch (cause) {
    throw new ParleyError("bad_input", `${path} is not UTF-8 text; save it as UTF-8 and try again`, { cause });
  }
  throw new ParleyError("bad_input", `${path} has zero bytes in it; it looks like a binary file, not a dataset`);
}

export function readJsonl(text: string, path: string): DatasetRow[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === "") return [];
    const at = `${path}:${i + 1}`;
    return [{ value: requireRecord(parseJson(line, at), at), at }];
  });
}

export function readJson(text: string, path: string): DatasetRow[] {
  const value = parseJson(text, path);
  if (!Array.isArray(value)) throw new ParleyError("bad_input", `${path} must hold a JSON array of objects`);
  return value.map((row, i) => ({ value: requireRecord(row, `${path}[${i}]`), at: `${path}[${i}]` }));
}

export function readCsv(text: string, path: string): DatasetRow[] {
  try {
    const rows = parse(text, {
      columns: true,
      bom: true,
      skip_empty_lines: true,
      info: true,
      delimiter: guessDelimiter(text),
    });
    return (rows as unknown as { record: Record<string, string>; info: { lines: number } }[]).map(
      ({ record, info }) => ({
        value: record,
        at: `${path}:${info.lines}`,
      }),
    );
  } catch (cause) {
    throw new ParleyError("bad_input", `${path} is not valid CSV: ${explainCsv(cause as CsvTrouble)}`, { cause });
  }
}

type CsvTrouble = Error & { code?: string; lines?: number; record?: unknown[]; columns?: unknown[] };

function explainCsv({ code, message, lines, record, columns }: CsvTrouble): string {
  if (code !== "CSV_RECORD_INCONSISTENT_COLUMNS") return message;
  return `line ${lines ?? "?"} has ${record?.length ?? "other"} values, the header has ${columns?.length ?? "others"}`;
}

export function guessDelimiter(text: string): string {
  const header = text.split(/\r?\n/, 1)[0] ?? "";
  const count = (mark: string): number => header.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

export function parseJson(text: string, at: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `${at}: this is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

function requireRecord(value: unknown, at: string): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new ParleyError(
    "bad_input",
    `${at}: a row is a JSON object, this is ${Array.isArray(value) ? "a list" : typeof value}`,
  );
}
