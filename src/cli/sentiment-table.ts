import { parse } from "csv-parse/sync";
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { FinalOutput } from "../packs/sentiment/index.ts";
import type { BatchResult } from "../runs/batch.ts";
import { type CaseRow, countLines, readCaseRows } from "../runs/case-rows.ts";
import { type Draft, openDraft } from "../store/replace-file.ts";
import { readText } from "../studies/datasets/rows.ts";
import { guessDelimiter } from "../studies/datasets/rows.ts";
import { isRecord } from "../text/is-record.ts";
import { suggestName } from "../text/nearest-name.ts";
import { formatCount } from "../text/number-text.ts";
import { guardFormula } from "../text/spreadsheet-cell.ts";

/** A row of a file of texts: its columns as they came, or what is wrong with it. */
export type TableRow = {
  line: number /** What it is called when it has no id. */;
  number: number;
  columns: Record<string, unknown>;
  problem: string | null;
};

/** A file of texts as rows with named columns; `sample` are the first of them. */
export type Table = {
  header: string[];
  rows: AsyncIterable<TableRow> | Iterable<TableRow>;
  total: number;
  sample: Record<string, unknown>[];
};

const sampled = 50;

/** Opens a file of texts by what its name ends in: a table with a header, JSON Lines, or plain text with a text on each line. */
export async function openTable(path: string, name: string): Promise<Table> {
  const table = statSync(path).size === 0 ? null : await readByEnding(path, name);
  if (!table || table.total === 0) throw new ParleyError("bad_input", `${name}: there is nothing in it`);
  return table;
}

async function readByEnding(path: string, name: string): Promise<Table> {
  const ending = extname(path).toLowerCase();
  if (ending === ".xlsx") return readSheet(path, name);
  if (ending === ".csv" || ending === ".tsv") return readSeparated(path, name);
  if (ending === ".txt") return readLines(path);
  const sample = await peekRows(path);
  const header = [...new Set(sample.flatMap((columns) => Object.keys(columns)))];
  return { header, rows: readJsonRows(path), total: await countLines(path), sample };
}

/** Rows of cells under a header; one with more or fewer cells than the header says so. */
function makeTable(cells: readonly { line: number; values: readonly unknown[] }[]): Table {
  const [first, ...rest] = cells;
  const header = (first?.values ?? []).map((name, index) =>
    isEmpty(name) ? `column ${index + 1}` : wordCell(name).trim(),
  );
  const rows = rest.map(({ line, values }, index): TableRow => {
    const columns = Object.fromEntries(header.map((name, at) => [name, values[at] ?? ""]));
    const isRagged = values.length !== header.length;
    const problem = isRagged ? `line ${line} has ${values.length} values, the header has ${header.length}` : null;
    return { line, number: index + 1, columns, problem };
  });
  return { header, rows, total: rows.length, sample: rows.slice(0, sampled).map(({ columns }) => columns) };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "string" && value.trim() === "");
}

function readSeparated(path: string, name: string): Table {
  const { text } = readText(path);
  try {
    const rows = parse(text, {
      bom: true,
      skip_empty_lines: true,
      relax_column_count: true,
      info: true,
      delimiter: guessDelimiter(text),
    }) as unknown as { record: string[]; info: { lines: number } }[];
    return makeTable(rows.map(({ record, info }) => ({ line: info.lines, values: record })));
  } catch (cause) {
    throw new ParleyError("bad_input", `${name} is not valid CSV: ${(cause as Error).message}`, { cause });
  }
}

async function readSheet(path: string, name: string): Promise<Table> {
  const { readSheet: read } = await import("read-excel-file/node");
  try {
    const rows = (await read(readFileSync(path))) as unknown[][];
    const width = rows[0]?.length ?? 0;
    return makeTable(
      rows.map((values, index) => ({
        line: index + 1,
        values: Array.from({ length: width }, (_, at) => wordCell(values[at])),
      })),
    );
  } catch (cause) {
    throw new ParleyError("bad_input", `${name} cannot be read as an Excel file: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function wordCell(value: unknown): string {
  if (value instanceof Date) return value.toISOString().replace("T00:00:00.000Z", "");
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function readLines(path: string): Table {
  const lines = readText(path).text.split(/\r?\n/);
  const rows = lines.flatMap((text, index) =>
    text.trim() === "" ? [] : [{ line: index + 1, number: index + 1, columns: { text: text.trim() }, problem: null }],
  );
  return { header: ["text"], rows, total: rows.length, sample: [] };
}

async function* readJsonRows(path: string): AsyncGenerator<TableRow> {
  for await (const { line, input, problem } of readCaseRows(path)) {
    const columns = typeof input === "string" ? { text: input } : isRecord(input) ? input : {};
    yield { line, number: line, columns, problem };
  }
}

async function peekRows(path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for await (const { columns } of readJsonRows(path)) if (rows.push(columns) === sampled) break;
  return rows;
}

export const textColumns = ["text", "sentence", "sentence_form", "review", "content", "comment", "body"];
export const idColumns = ["id", "text_id", "uid"];
export const languageColumns = ["language_code", "lang", "language"];

/** Which columns hold what. */
export type TextColumns = { text: string; id: string | null; language: string | null };

/** The columns of a table of texts: those that were named, else those whose names or whose content say so; one error for the whole file when there is no text. */
export function findTextColumns(
  name: string,
  { header, sample }: Pick<Table, "header" | "sample">,
  given: { text?: string; id?: string },
): TextColumns {
  const known = (names: readonly string[]): string | null =>
    header.find((column) => names.includes(column.toLowerCase())) ?? null;
  const require = (option: string, column: string): string => {
    if (header.includes(column)) return column;
    throw new ParleyError("bad_input", `${option} ${column}: ${name} has no such column${suggestName(column, header)}`);
  };
  const text =
    given.text === undefined ? (known(textColumns) ?? guessTextColumn(header, sample)) : require("--text", given.text);
  if (text === null)
    throw new ParleyError(
      "bad_input",
      `${name}: which column holds the texts? It has ${header.join(", ")}; choose one with --text COLUMN`,
    );
  const id = given.id === undefined ? known(idColumns) : require("--id", given.id);
  return { text, id, language: known(languageColumns) };
}

/** The column of sentences: several words in most rows, seldom the same, and the longest of such columns. */
function guessTextColumn(header: readonly string[], sample: readonly Record<string, unknown>[]): string | null {
  const measured = header.map((column) => {
    const cells = sample.map((row) => wordOf(row[column]) ?? "").filter((cell) => cell !== "");
    const sentences = cells.filter((cell) => /\p{L}{2,}\s+\S*\p{L}{2,}/u.test(cell)).length;
    const length = cells.reduce((sum, cell) => sum + cell.length, 0) / Math.max(1, cells.length);
    const isText = sentences * 2 > cells.length && new Set(cells).size * 2 > cells.length;
    return { column, length: isText ? length : 0 };
  });
  const [longest] = measured.toSorted((a, b) => b.length - a.length);
  return longest && longest.length >= 10 ? longest.column : null;
}

/** How rows that cannot be used are treated, and what is told of the others. */
export type RowOptions = { lang?: string; skipBad?: boolean; onRow(columns: Record<string, unknown>): void };

/** The texts of a table as cases, in order; rows that cannot be used end it with one error, or are skipped. */
export async function* readTextRows(table: Table, columns: TextColumns, options: RowOptions): AsyncGenerator<CaseRow> {
  const seen = new Set<string>();
  for await (const row of table.rows) {
    const made = makeCase(row, columns, options);
    if (made.problem === emptyRow) continue;
    const twin = made.problem === null && seen.has(made.id);
    const problem = twin ? `line ${row.line}: the id "${made.id}" was used by an earlier row` : made.problem;
    if (problem !== null && options.skipBad) continue;
    seen.add(made.id);
    options.onRow(row.columns);
    yield { ...made, problem };
  }
}

/** The rows of a table that cannot be used, said at once before anything is run. */
export function findBadRows(table: Table, columns: TextColumns): string[] {
  if (!Array.isArray(table.rows)) return [];
  const problems = (table.rows as TableRow[]).flatMap((row) => makeCase(row, columns, {}).problem ?? []);
  return problems.filter((problem) => problem !== emptyRow);
}

/** How many rows of a table have no text: they are skipped. */
export function countEmptyRows(table: Table, columns: TextColumns): number {
  if (!Array.isArray(table.rows)) return 0;
  return (table.rows as TableRow[]).filter((row) => makeCase(row, columns, {}).problem === emptyRow).length;
}

const emptyRow = "the row has no text";

/** What is wrong with some rows of a file, in a sentence. */
export function describeBadRows(problems: readonly string[]): string {
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : "";
  return `${formatCount(problems.length, "row cannot be used", "rows cannot be used")}: ${problems.slice(0, 3).join("; ")}${more}`;
}

function makeCase(
  { line, number, columns, problem }: TableRow,
  names: TextColumns,
  { lang }: { lang?: string },
): CaseRow {
  const id = (names.id === null ? undefined : wordOf(columns[names.id])) ?? String(number);
  const text = wordOf(columns[names.text]);
  if (problem !== null) return { id, line, input: null, problem };
  if (text === undefined) return { id, line, input: null, problem: emptyRow };
  const language = lang ?? (names.language === null ? undefined : wordOf(columns[names.language]));
  return {
    id,
    line,
    input: { id, text, ...(language === undefined ? {} : { language_code: language }) },
    problem: null,
  };
}

/** The first of these columns that holds a word or a number. */
export function findColumn(columns: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => wordOf(columns[name])).find((word) => word !== undefined);
}

function wordOf(value: unknown): string | undefined {
  return (typeof value === "string" && value.trim() !== "") || typeof value === "number" ? String(value) : undefined;
}

/** What a row of results says of one aspect of a text; a text without an opinion has one row without an aspect. */
export type AspectRow = {
  aspect: string | null;
  polarity: string | null;
  overall: string | null;
  confidence: number | null;
  changed_by_debate: boolean | null;
  outcome: string;
  problem: string | null;
  run: string | null;
};

/** The columns of results, in their order. */
export const resultColumns = [
  "aspect",
  "polarity",
  "overall",
  "confidence",
  "changed_by_debate",
  "outcome",
  "problem",
  "run",
] as const satisfies readonly (keyof AspectRow)[];

/** A text with its columns and what was found in it. */
export type ReadText = { columns: Record<string, unknown>; rows: AspectRow[]; output: FinalOutput | null };

/** The rows of a result: one for each aspect. */
export function listAspects({ outcome, reasons, run, decision }: BatchResult): AspectRow[] {
  const output = decision as FinalOutput | null;
  const problem = outcome === "decided" ? null : reasons.join("; ") || null;
  const none = { aspect: null, polarity: null, overall: null, confidence: null, changed_by_debate: null };
  if (!output) return [{ ...none, outcome, problem, run }];
  const { label, confidence, final_tuples, stage1_tuples } = output.final_result;
  const shared = { overall: label, confidence: Number(confidence.toFixed(3)), outcome, problem, run };
  const before = new Map(stage1_tuples.map((tuple) => [tuple.aspect_ref, tuple.polarity]));
  if (final_tuples.length === 0)
    return [{ ...shared, aspect: null, polarity: null, changed_by_debate: stage1_tuples.length > 0 }];
  return final_tuples.map(({ aspect_ref, polarity }) => ({
    ...shared,
    aspect: aspect_ref || "(implicit)",
    polarity,
    changed_by_debate: before.get(aspect_ref) !== polarity,
  }));
}

/** Takes the results of a file of texts and writes them as one file. */
export type ResultTable = {
  add(columns: Record<string, unknown>, result: BatchResult): void;
  /** Puts the file in its place; says what is in it. */
  finish(): Promise<string>;
  abandon(): void;
};

/** The file of texts that results are of. */
export type Source = { name: string; header: string[]; columns: TextColumns; empty: number };

type Cells = Record<string, unknown>;

/** The table that a file's name asks for by its ending; null for a folder. */
export function openResultTable(file: string, source: Source): ResultTable | null {
  const ending = extname(file).toLowerCase();
  if (ending === ".csv" || ending === ".tsv") return openSeparated(file, source, ending === ".csv" ? "," : "\t");
  if (ending === ".jsonl" || ending === ".ndjson") return openJsonl(file, source);
  if (ending === ".xlsx") return openSheet(file, source);
  if (ending === ".html" || ending === ".htm") return openSummary(file, source);
  if (/^\.(pdf|docx?|xls|ods|png|svg|md|txt|json|xml|zip)$/.test(ending))
    throw new ParleyError(
      "bad_input",
      `--out ${basename(file)}: results are written as .csv, .tsv, .jsonl, .xlsx or .html, or into a folder`,
    );
  return null;
}

/** The names of all columns; one of ours that the input has too is told apart. */
function nameColumns({ header }: Source): { header: string[]; own: Record<keyof AspectRow, string> } {
  const own = Object.fromEntries(
    resultColumns.map((name) => [name, header.includes(name) ? `parley_${name}` : name]),
  ) as Record<keyof AspectRow, string>;
  return { header: [...header, ...Object.values(own)], own };
}

function fill(columns: Cells, row: AspectRow, own: Record<keyof AspectRow, string>): Cells {
  return { ...columns, ...Object.fromEntries(resultColumns.map((name) => [own[name], row[name]])) };
}

/** A table whose rows are written as they come. */
function openLines(file: string, source: Source, head: string, write: (cells: Cells) => string): ResultTable {
  const draft = openDraft(file, ".partial");
  const { own } = nameColumns(source);
  const counted = countRows();
  draft.write(head);
  return {
    add(columns, result) {
      for (const row of counted.add(listAspects(result))) draft.write(write(fill(columns, row, own)));
    },
    async finish() {
      draft.finish();
      return counted.say();
    },
    abandon: () => draft.abandon(true),
  };
}

function openSeparated(file: string, source: Source, mark: string): ResultTable {
  const { header } = nameColumns(source);
  const line = (values: readonly unknown[]): string =>
    `${values.map((value) => writeCell(value, mark)).join(mark)}\r\n`;
  return openLines(file, source, `\uFEFF${line(header)}`, (cells) => line(header.map((name) => cells[name])));
}

/** A cell that no spreadsheet takes for a formula, quoted where it has to be. */
export function writeCell(value: unknown, mark = ","): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = typeof value === "string" ? guardFormula(text) : text;
  return safe.includes(mark) || /["\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function openJsonl(file: string, source: Source): ResultTable {
  return openLines(file, source, "", (cells) => `${JSON.stringify(cells)}\n`);
}

function openSheet(file: string, source: Source): ResultTable {
  const { header, own } = nameColumns(source);
  const rows: Cells[] = [];
  const counted = countRows();
  return {
    ...openWhole(file, async () => {
      const { default: write } = await import("write-excel-file/node");
      const top = header.map((name) => ({ value: name, fontWeight: "bold" as const }));
      const body = rows.map((cells) => header.map((name) => sheetCell(cells[name])));
      const width = header.map((name) => ({ width: name === source.columns.text ? 60 : 16 }));
      return {
        content: await write([top, ...body], { columns: width, stickyRowsCount: 1 }).toBuffer(),
        said: counted.say(),
      };
    }),
    add(columns, result) {
      for (const row of counted.add(listAspects(result))) rows.push(fill(columns, row, own));
    },
  };
}

/** The most characters that a cell of a sheet holds. */
const longestCell = 32_767;

function sheetCell(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return (typeof value === "string" ? value : JSON.stringify(value)).slice(0, longestCell);
}

function openSummary(file: string, source: Source): ResultTable {
  const texts: ReadText[] = [];
  return {
    ...openWhole(file, async () => {
      const { renderSummary } = await import("./sentiment-summary.ts");
      return { content: await renderSummary(source, texts), said: `a summary of ${formatCount(texts.length, "text")}` };
    }),
    add(columns, result) {
      texts.push({ columns, rows: listAspects(result), output: result.decision as FinalOutput | null });
    },
  };
}

/** A file that is written at once in the end; that it can be is found out before anything is run. */
function openWhole(
  file: string,
  make: () => Promise<{ content: string | Uint8Array; said: string }>,
): Omit<ResultTable, "add"> {
  const draft: Draft = openDraft(file);
  return {
    async finish() {
      const { content, said } = await make();
      draft.write(content);
      draft.finish();
      return said;
    },
    abandon: () => draft.abandon(false),
  };
}

function countRows() {
  let texts = 0;
  let rows = 0;
  return {
    add<T>(added: T[]): T[] {
      texts += 1;
      rows += added.length;
      return added;
    },
    say: () => `${formatCount(rows, "row")} of ${formatCount(texts, "text")}`,
  };
}
