import { extname } from "node:path";
import type { FinalOutput } from "../../packs/sentiment/index.ts";
import type { BatchResult } from "../../runs/batch/batch.ts";
import { type Draft, openDraft } from "../../store/replace-file.ts";
import { formatCount } from "../../text/number-text.ts";
import { type AspectRow, listAspects, type ReadText, resultColumns } from "./aspect-rows.ts";
import type { TextColumns } from "./text-rows.ts";
import { guardFormula } from "../../text/spreadsheet-cell.ts";

/** Takes the results of a file of texts and writes them as one file. */
export type ResultTable = {
  add(columns: Record<string, unknown>, result: BatchResult): void;
  /** Puts the file in its place; says what is in it. */
  finish(): Promise<string>;
  abandon(): void;
};

/** The file of texts that results are of. */
export type Source = { name: string; header: string[]; columns: TextColumns };

type Cells = Record<string, unknown>;

/** The table that a file's name asks for by its ending; null for a folder. */
export function openResultTable(file: string, source: Source): ResultTable | null {
  const ending = extname(file).toLowerCase();
  if (ending === ".csv" || ending === ".tsv") return openSeparated(file, source, ending === ".csv" ? "," : "\t");
  if (ending === ".jsonl" || ending === ".ndjson") return openJsonl(file, source);
  if (ending === ".xlsx") return openSheet(file, source);
  return ending === ".html" || ending === ".htm" ? openSummary(file, source) : null;
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
      const { drawSummary } = await import("./summary-page.ts");
      return { content: drawSummary(source, texts), said: `a summary of ${formatCount(texts.length, "text")}` };
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
