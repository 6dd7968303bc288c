import type { SectionOf } from "../../contract/view.ts";
import { escapeMarkdown } from "../../text/markdown.ts";
import { cellText, columnOf } from "../cell.ts";

/** How many rows a table has in a text that may be pasted into an issue. */
const mostRows = 100;

/** A table; numbers stand flush right. */
export function writeTable({ columns, rows }: Pick<SectionOf<"table">, "columns" | "rows">): string {
  const heads = columns.map(columnOf);
  const rule = heads.map(({ numeric }) => (numeric ? " ---: |" : " --- |")).join("");
  const more = rows.length > mostRows ? [`\n… and ${rows.length - mostRows} more rows.`] : [];
  const body = rows.slice(0, mostRows).map((row) => writeRow(heads.map((_, i) => cellText(row[i]))));
  return [writeRow(heads.map(({ name }) => name)), `|${rule}`, ...body, ...more].join("\n");
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => escapeMarkdown(cell) || " ").join(" | ")} |`;
}
