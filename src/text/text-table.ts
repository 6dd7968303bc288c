import { measureDisplayWidth, padTo } from "./display-width.ts";

/** Rows as lines whose columns are padded to their widest cell, counted in terminal columns; those named in `right` end flush. */
export function formatTable(rows: readonly (readonly string[])[], right: ReadonlySet<number> = new Set()): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(0, ...rows.map((row) => measureDisplayWidth(row[i] ?? ""))),
  );
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        return right.has(i) ? " ".repeat(width - measureDisplayWidth(cell)) + cell : padTo(cell, width);
      })
      .join("  ")
      .trimEnd(),
  );
}
