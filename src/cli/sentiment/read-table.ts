import { readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import { parse } from "csv-parse/sync";
import { ParleyError } from "../../contract/error.ts";
import { countLines, readCaseRows } from "../../runs/batch/case-rows.ts";
import { readText } from "../../studies/datasets/read-text.ts";
import { guessDelimiter } from "../../studies/datasets/rows.ts";
import { isRecord } from "../../text/is-record.ts";

/** A row of a file of texts: its columns as they came, or what is wrong with it. */
export type TableRow = {
  line: number /** What it is called when it has no id. */;
  number: number;
  columns: Record<string, unknown>;
  problem: string | null;
};

/** A file of texts as rows with named columns. */
export type Table = { header: string[]; rows: AsyncIterable<TableRow> | Iterable<TableRow>; total: number };

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
  return { header: await peekKeys(path), rows: readJsonRows(path), total: await countLines(path) };
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
  return { header, rows, total: rows.length };
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
  return { header: ["text"], rows, total: rows.length };
}

async function* readJsonRows(path: string): AsyncGenerator<TableRow> {
  for await (const { line, input, problem } of readCaseRows(path)) {
    const columns = typeof input === "string" ? { text: input } : isRecord(input) ? input : {};
    yield { line, number: line, columns, problem };
  }
}

/** The columns that the first rows of JSON Lines have. */
async function peekKeys(path: string): Promise<string[]> {
  const keys = new Set<string>();
  let seen = 0;
  for await (const { columns } of readJsonRows(path)) {
    for (const key of Object.keys(columns)) keys.add(key);
    if ((seen += 1) === 20) break;
  }
  return [...keys];
}
