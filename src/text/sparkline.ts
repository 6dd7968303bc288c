const bars = "▁▂▃▄▅▆▇█";

/** Values as a row of bars; `full` is a whole bar, and what is below zero is shown as nothing. */
export function sparkline(values: readonly number[], full = fullScale(values)): string {
  const bar = (value: number): string =>
    bars[Math.min(bars.length - 1, Math.max(0, Math.floor((value / full) * bars.length)))] ?? "";
  return values.map(bar).join("");
}

/** What a whole bar stands for: 1 for shares, 100 for points, else the greatest value. */
export function fullScale(values: readonly number[]): number {
  const most = Math.max(0, ...values.map(Math.abs));
  return most <= 1 ? 1 : most <= 100 ? 100 : most;
}
