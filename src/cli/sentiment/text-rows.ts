import { ParleyError } from "../../contract/error.ts";
import type { CaseRow } from "../../runs/batch/case-rows.ts";
import { suggestName } from "../../text/nearest-name.ts";
import { formatCount } from "../../text/number-text.ts";
import type { Table, TableRow } from "./read-table.ts";

export const textColumns = ["text", "sentence", "sentence_form", "review", "content", "comment", "body"];
export const idColumns = ["id", "text_id", "uid"];
export const languageColumns = ["language_code", "lang", "language"];

/** Which columns hold what. */
export type TextColumns = { text: string; id: string | null; language: string | null };

/** The columns of a table of texts: those that were named, else those whose names say so; one error for the whole file when there is no text. */
export function findTextColumns(
  name: string,
  header: readonly string[],
  given: { text?: string; id?: string },
): TextColumns {
  const known = (names: readonly string[]): string | null =>
    header.find((column) => names.includes(column.toLowerCase())) ?? null;
  const require = (option: string, column: string): string => {
    if (header.includes(column)) return column;
    throw new ParleyError("bad_input", `${option} ${column}: ${name} has no such column${suggestName(column, header)}`);
  };
  const text = given.text === undefined ? known(textColumns) : require("--text", given.text);
  if (text === null)
    throw new ParleyError(
      "bad_input",
      `${name}: which column holds the texts? It has ${header.join(", ")}; choose with --text ${header[0] ?? "COLUMN"}`,
    );
  const id = given.id === undefined ? known(idColumns) : require("--id", given.id);
  return { text, id, language: known(languageColumns) };
}

/** How rows that cannot be used are treated, and what is told of the others. */
export type RowOptions = { lang?: string; skipBad?: boolean; onRow(columns: Record<string, unknown>): void };

/** The texts of a table as cases, in order; rows that cannot be used end it with one error, or are skipped. */
export async function* readTextRows(table: Table, columns: TextColumns, options: RowOptions): AsyncGenerator<CaseRow> {
  const seen = new Set<string>();
  for await (const row of table.rows) {
    const made = makeCase(row, columns, options);
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
  return (table.rows as TableRow[]).flatMap((row) => makeCase(row, columns, {}).problem ?? []);
}

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
  if (text === undefined) return { id, line, input: null, problem: `line ${line} has no text in "${names.text}"` };
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
