import type { Cell, Column } from "../contract/view.ts";

/** A cell with nothing left out. */
export function cellOf(cell: Cell | undefined): Exclude<Cell, string> {
  return cell === undefined || typeof cell === "string" ? { text: cell ?? "" } : cell;
}

/** A column with nothing left out. */
export function columnOf(column: Column): Exclude<Column, string> {
  return typeof column === "string" ? { name: column } : column;
}

/** A cell as text alone: `85.0 % (64.0 to 94.8)`, `vote (control)`. */
export function cellText(cell: Cell | undefined): string {
  const { text, tag, note } = cellOf(cell);
  const more = [tag, note].filter((one) => one !== undefined && one !== "");
  return more.length === 0 ? text : `${text} (${more.join("; ")})`.trimStart();
}
