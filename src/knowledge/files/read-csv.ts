import { CsvError, parse } from "csv-parse/sync";

/** The rows of a table as sentences, each value with the name of its column. */
export function readCsv(text: string, delimiter: string): string {
  const rows = parseRows(text, delimiter);
  const [header = [], ...rest] = rows;
  return rest
    .map((row) =>
      row.flatMap((value, index) => (value.trim() === "" ? [] : [nameValue(header[index], value)])).join("; "),
    )
    .filter((line) => line !== "")
    .map((line) => `${line}.`)
    .join("\n");
}

function nameValue(column: string | undefined, value: string): string {
  const plain = value.replaceAll(/\s+/g, " ").trim();
  return column === undefined || column.trim() === "" ? plain : `${column.trim()}: ${plain}`;
}

function parseRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true });
  } catch (cause) {
    const why = cause instanceof CsvError ? cause.message : String(cause);
    throw new Error(`not a table: ${why}`, { cause });
  }
}
