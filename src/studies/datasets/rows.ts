import { parse } from "csv-parse/sync";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetRow } from "../../engine/pack.ts";
import { isRecord } from "../../text/is-record.ts";

/** The rows of a JSON Lines text; empty lines are passed over. */
export function readJsonl(text: string, path: string): DatasetRow[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === "") return [];
    const at = `${path}:${i + 1}`;
    return [{ value: requireRecord(parseJson(line, at), at), at }];
  });
}

/** The rows of a JSON array of objects. */
export function readJson(text: string, path: string): DatasetRow[] {
  const value = parseJson(text, path);
  if (!Array.isArray(value)) throw new ParleyError("bad_input", `${path} must hold a JSON array of objects`);
  return value.map((row, i) => ({ value: requireRecord(row, `${path}[${i}]`), at: `${path}[${i}]` }));
}

/** The rows of a CSV text with a header line; the delimiter is the commonest of , ; and tab in the header. */
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

/** The mark that parts the cells of a table: the commonest of , ; and tab in its header. */
export function guessDelimiter(text: string): string {
  const header = text.split(/\r?\n/, 1)[0] ?? "";
  const count = (mark: string): number => header.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}

/** A JSON text as a value; `at` says where it stands in its file. */
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
