import { displayWidth, padTo } from "./display-width.ts";

/** Rows as lines whose columns are padded to their widest cell, counted in terminal columns. */
export function textTable(rows: readonly (readonly string[])[]): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) => Math.max(0, ...rows.map((row) => displayWidth(row[i] ?? ""))));
  return rows.map((row) =>
    row
      .map((cell, i) => padTo(cell, widths[i] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
