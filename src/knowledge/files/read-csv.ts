import { CsvError, parse } from "csv-parse/sync";

export function readCsv(text: string, delimiter: string): string {
  const rows = parseRows(text, delimiter).filter((row) => row.some((value) => value.trim() !== ""));
  const [header = [], ...rest] = rows.map((row) => row.map(plain));
  const lines = [header, header.map(() => "---"), ...rest].map((row) => `| ${row.join(" | ")} |`);
  return header.length === 0 ? "" : lines.join("\n");
}

function plain(value: string): string {
  return value.replaceAll(/\s+/g, " ").replaceAll("|", "/").trim();
}

function parseRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true });
  } catch (cause) {
    const why = cause instanceof CsvError ? cause.message : String(cause);
    throw new Error(`not a table: ${why}`, { cause });
  }
}
