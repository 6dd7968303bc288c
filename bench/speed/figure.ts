/** One measured figure with its spread over the repetitions, and the target it is held against. */
export type Figure = {
  name: string;
  value: number;
  low: number;
  high: number;
  unit: "×";
  target: { atMost: number } | { atLeast: number } | null;
  note: string;
};

/** The figure of several repetitions: their median, with the first and third quartile as the spread. */
export function figureOf(
  name: string,
  values: readonly number[],
  rest: Omit<Figure, "name" | "value" | "low" | "high">,
) {
  const figure: Figure = {
    name,
    value: quantile(values, 0.5),
    low: quantile(values, 0.25),
    high: quantile(values, 0.75),
    ...rest,
  };
  return figure;
}

/** A quantile by linear interpolation. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}

/** Whether a figure meets its target; null when it has none. */
export function isMet({ value, target }: Figure): boolean | null {
  if (target === null) return null;
  return "atMost" in target ? value <= target.atMost : value >= target.atLeast;
}

/** Hands the figures to `bench/run.ts`, which started this process. */
export function report(figures: readonly Figure[]): void {
  console.log(JSON.stringify(figures));
}

/** Says on stderr how far a measurement is. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}
