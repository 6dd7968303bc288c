import { resolve } from "node:path";
import { type CaseRow, readCaseRows } from "../../runs/case-rows.ts";
import { readText } from "../../studies/datasets/read-text.ts";
import { readCsv } from "../../studies/datasets/rows.ts";
import type { Io } from "../terminal/io.ts";

export const textColumns = ["text", "sentence", "sentence_form", "review", "content"];
export const idColumns = ["id", "text_id", "uid"];
export const languageColumns = ["language_code", "lang", "language"];

/** The texts of a file as cases: JSON Lines, or CSV with a header; columns other than text, id and language stay outside. */
export async function* readTextRows(io: Io, file: string, language: string | undefined): AsyncGenerator<CaseRow> {
  const path = resolve(io.cwd, file);
  if (!/\.(csv|tsv)$/i.test(file)) {
    for await (const row of readCaseRows(path)) yield readTextCase(row, language);
    return;
  }
  const seen = new Set<string>();
  for (const [at, { value }] of readCsv(readText(path).text, file).entries()) {
    const id = findColumn(value, idColumns) ?? String(at + 1);
    const problem = seen.has(id) ? `${file}: the id "${id}" was used by an earlier row` : null;
    seen.add(id);
    yield readTextCase({ id, line: at + 2, input: value, problem }, language);
  }
}

function readTextCase(row: CaseRow, language: string | undefined): CaseRow {
  if (row.problem !== null) return row;
  const columns = (typeof row.input === "string" ? { text: row.input } : row.input) as Record<string, unknown> | null;
  const text = columns === null ? undefined : findColumn(columns, textColumns);
  if (columns === null || text === undefined)
    return { ...row, problem: `row ${row.line}: no text; a row has one of the columns ${textColumns.join(", ")}` };
  const id = findColumn(columns, idColumns) ?? row.id;
  const language_code = language ?? findColumn(columns, languageColumns);
  return { ...row, id, input: { id, text, ...(language_code === undefined ? {} : { language_code }) } };
}

/** The first of these columns that holds a word or a number. */
export function findColumn(columns: Record<string, unknown>, names: readonly string[]): string | undefined {
  const value = names.map((name) => columns[name]).find((one) => one !== undefined && one !== null && one !== "");
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
