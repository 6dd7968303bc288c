import { parse } from "csv-parse/sync";
import { readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { readApart } from "../knowledge/files/index.ts";
import { detectLanguage, isForeign } from "../knowledge/opinions/index.ts";
import { type CaseRow, readCaseRows } from "../runs/batch.ts";
import { guessDelimiter, readText } from "../studies/datasets/load-dataset.ts";
import { shortenText } from "../text/format.ts";
import { isRecord } from "../text/json.ts";
import { suggestName } from "../text/similar.ts";

type TextRow = { line: number; number: number; columns: Record<string, unknown>; problem: string | null };

export type TextTable = { header: string[]; rows: TextRow[] };

export async function readTable(path: string, name: string): Promise<TextTable> {
  const table = statSync(path).size === 0 ? null : await readByEnding(path, name);
  if (!table || table.rows.length === 0) throw new ParleyError("bad_input", `${name}: the file is empty`);
  return table;
}

async function readByEnding(path: string, name: string): Promise<TextTable> {
  const ending = extname(path).toLowerCase();
  if (ending === ".xlsx") return makeTable(await readSheet(path, name));
  if (ending === ".csv" || ending === ".tsv") return makeTable(readSeparated(path, name));
  if (ending === ".txt") return { header: ["text"], rows: readLines(path) };
  const rows: TextRow[] = [];
  for await (const { line, input, problem } of readCaseRows(path)) {
    const columns = typeof input === "string" ? { text: input } : isRecord(input) ? input : {};
    rows.push({ line, number: line, columns, problem });
  }
  return { header: [...new Set(rows.flatMap(({ columns }) => Object.keys(columns)))], rows };
}

type CellRow = { line: number; values: readonly unknown[] };

/** Rows with more or fewer cells than the header cannot be used. */
function makeTable([first, ...rest]: readonly CellRow[]): TextTable {
  const header = (first?.values ?? []).map((name, index) => formatCell(name).trim() || `column ${index + 1}`);
  const known = new Set<string>();
  const twin = header.find((name) => known.size === known.add(name).size);
  if (twin !== undefined) throw new ParleyError("bad_input", `two columns are called "${twin}"; rename one of them`);
  const rows = rest.map(({ line, values }, index): TextRow => {
    const columns = Object.fromEntries(header.map((name, at) => [name, values[at] ?? ""]));
    const isRagged = values.length !== header.length;
    const problem = isRagged ? `line ${line} has ${values.length} values, the header has ${header.length}` : null;
    return { line, number: index + 1, columns, problem };
  });
  return { header, rows };
}

function readSeparated(path: string, name: string): CellRow[] {
  const { text } = readText(path);
  const options = { bom: true, skip_empty_lines: true, relax_column_count: true, info: true };
  try {
    const rows = parse(text, { ...options, delimiter: guessDelimiter(text) });
    return (rows as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      line: info.lines,
      values: record,
    }));
  } catch (cause) {
    throw new ParleyError("bad_input", `${name} is not valid CSV: ${(cause as Error).message}`, { cause });
  }
}

async function readSheet(path: string, name: string): Promise<CellRow[]> {
  const text = await readApart("xlsx", readFileSync(path)).catch((cause: unknown) => {
    const why = (cause as Error).message;
    throw new ParleyError("bad_input", `${name}: ${why}; save it again as .xlsx or .csv`, { cause });
  });
  const rows = JSON.parse(text) as string[][];
  const columns = Array.from({ length: rows[0]?.length ?? 0 }, (_, at) => at);
  return rows.map((cells, index) => ({ line: index + 1, values: columns.map((at) => cells[at] ?? "") }));
}

function formatCell(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function readLines(path: string): TextRow[] {
  const lines = readText(path).text.split(/\r?\n/);
  const rows = lines.map((text, index) => ({ line: index + 1, number: index + 1, columns: { text }, problem: null }));
  return rows.filter(({ columns }) => columns.text.trim() !== "");
}

const textWords = "text sentence form review content comment body 리뷰 내용 후기 본문 댓글 의견".split(" ");
const idColumns = ["id", "text_id", "uid"];
export const languageColumns = ["language_code", "lang", "language"];

export type TextColumns = { text: string; id: string | null; language: string | null };

export function findTextColumns(name: string, table: TextTable, given: { text?: string; id?: string }): TextColumns {
  const { header } = table;
  const known = (names: readonly string[]): string | null =>
    header.find((column) => names.includes(column.toLowerCase())) ?? null;
  const require = (option: string, column: string): string => {
    if (header.includes(column)) return column;
    throw new ParleyError("bad_input", `${option} ${column}: ${name} has no such column${suggestName(column, header)}`);
  };
  const text = given.text === undefined ? findTexts(table) : require("--text", given.text);
  if (text === null)
    throw new ParleyError(
      "bad_input",
      `${name}: which column holds the texts? It has ${shortenText(header.join(", "), 600)}; choose one with --text COLUMN`,
    );
  const id = given.id === undefined ? known(idColumns) : require("--id", given.id);
  return { text, id, language: known(languageColumns) };
}

const sampled = 50;

/**
 * The column with the most letters per cell among those whose name says text ("review text", "내용"); else among those
 * that look like sentences: several words, and not the same few names again and again.
 */
function findTexts({ header, rows }: TextTable): string | null {
  const measured = header.map((column) => {
    const cells = rows.slice(0, sampled).flatMap(({ columns }) => findColumn(columns, [column]) ?? []);
    const letters = (cells.join("").match(/\p{L}/gu)?.length ?? 0) / Math.max(1, cells.length);
    const hasWords = cells.some((cell) => /\p{L}{2}\s+\S{0,40}?\p{L}{2}/u.test(cell));
    const isVaried = new Set(cells).size * 2 > cells.length || letters >= 20;
    const isNamed = saysText(column);
    return { column, isNamed, hasWords, letters, isLikely: hasWords && isVaried && letters >= 6 };
  });
  const named = measured.filter(({ isNamed }) => isNamed);
  const likely = measured.filter(({ isLikely }) => isLikely);
  const chosen = named.some(({ hasWords }) => hasWords) || likely.length === 0 ? named : likely;
  return chosen.toSorted((a, b) => b.letters - a.letters)[0]?.column ?? null;
}

function saysText(column: string): boolean {
  return column.split(/[\s_.-]+/).every((word) => textWords.includes(word.toLowerCase()));
}

/** The text of a row, in "text" or the first column whose name says so. */
export function findText(columns: Record<string, unknown>): string | undefined {
  return findColumn(columns, ["text", ...Object.keys(columns).filter(saysText)]);
}

export function findColumn(columns: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => formatCell(columns[name])).find((cell) => cell.trim() !== "");
}

export type TextCase = { row: CaseRow; columns: Record<string, unknown> };

export function listCases(
  { rows }: TextTable,
  names: TextColumns,
  given: { lang?: string },
): { cases: TextCase[]; empty: number; mixed: number; foreign: number } {
  const seen = new Set<string>();
  const cases: TextCase[] = [];
  let [empty, mixed, foreign] = [0, 0, 0];
  for (const { line, number, columns, problem } of rows) {
    const id = (names.id === null ? undefined : findColumn(columns, [names.id])) ?? String(number);
    const text = findColumn(columns, [names.text]);
    const language = given.lang ?? (names.language === null ? undefined : findColumn(columns, [names.language]));
    const twin = seen.has(id) ? `line ${line}: the id "${id}" was used by an earlier row` : null;
    if (problem === null && text === undefined) empty += 1;
    else if (problem !== null || twin !== null || text === undefined)
      cases.push({ row: { id, line, input: null, problem: problem ?? twin }, columns });
    else {
      seen.add(id);
      const parts = language === undefined ? splitByLanguage(text) : [{ text, language }];
      if (parts.length > 1) mixed += 1;
      if (language === undefined && isForeign(text)) foreign += 1;
      for (const [at, part] of parts.entries()) {
        const own = parts.length === 1 ? id : `${id}.${at + 1}`;
        const input = { id: own, text: part.text, ...(part.language && { language_code: part.language }) };
        cases.push({ row: { id: own, line, input, problem: null }, columns });
      }
    }
  }
  return { cases, empty, mixed, foreign };
}

const sentences = new Intl.Segmenter("ko", { granularity: "sentence" });

function splitByLanguage(text: string): { text: string; language?: string }[] {
  const parts: { text: string; language: string }[] = [];
  for (const { segment } of sentences.segment(text)) {
    const last = parts.at(-1);
    const language = /\p{L}/u.test(segment) ? detectLanguage(segment) : last?.language;
    if (last && (language === undefined || language === last.language)) last.text += segment;
    else if (language !== undefined) parts.push({ text: segment, language });
  }
  return parts.length > 1 ? parts.map((part) => ({ ...part, text: part.text.trim() })) : [{ text }];
}
