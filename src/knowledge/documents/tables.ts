import type { Part } from "./sentences.ts";

/** True for a row of a table: cells between bars. */
export function isRow(line: string): boolean {
  return /^\s*\|.*\|\s*$/.test(line);
}

/** True for the rule below the names of a table's columns. */
export function isRule(line: string): boolean {
  return isRow(line) && /^[\s|:-]*-[\s|:-]*$/.test(line);
}

/** Splits a row into its cells. */
export function splitCells(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Reads a row: that of the columns' names is a heading, any other says what it has under each name. */
export function readRow(line: string, columns: readonly string[]): Part {
  const text = line.trim();
  const cells = splitCells(line);
  if (columns.length === 0) return { text, kind: "statement", level: 0 };
  if (cells.every((cell, index) => cell === columns[index])) return { text, kind: "heading", level: 0 };
  const named = cells.flatMap((cell, index) =>
    cell === "" ? [] : [columns[index] ? `${columns[index]}: ${cell}` : cell],
  );
  return { text, kind: "statement", level: 0, said: named.join(", ") };
}
