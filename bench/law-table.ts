/** A plain text table. */
export function tableOf(columns: string[], rows: string[][]): string {
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...rows.map((row) => (row[index] ?? "").length)),
  );
  const line = (row: string[]): string =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(columns), line(widths.map((width) => "─".repeat(width))), ...rows.map(line)].join("\n");
}

/** A share in percent. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
