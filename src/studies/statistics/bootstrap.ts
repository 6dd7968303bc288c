import { quantileSorted } from "simple-statistics";
import type { Interval } from "./interval.ts";
import type { Random } from "../../text/random.ts";

export type BootstrapOptions = { random: Random; resamples?: number; level?: number };

/** The difference of two arms on the same cases; `p` is two-sided and never 0. */
export type PairedDifference = Interval & { p: number; cases: number };

/**
 * Percentile bootstrap of the mean difference `b − a` over cases (product spec §5).
 * Cases are resampled in pairs; several seeds of a case must be averaged first, since they are not independent cases.
 */
export function pairedBootstrap(a: number[], b: number[], options: BootstrapOptions): PairedDifference {
  if (a.length !== b.length)
    throw new RangeError(`paired samples must have the same length, got ${a.length} and ${b.length}`);
  const differences = b.map((value, i) => value - (a[i] as number));
  const means = resampleMeans(differences, options);
  return { ...takePercentiles(mean(differences), means, options.level), p: computeTwoSidedP(means), cases: a.length };
}

/** Percentile bootstrap of a mean over cases. */
export function bootstrapMean(values: number[], options: BootstrapOptions): Interval {
  return takePercentiles(mean(values), resampleMeans(values, options), options.level);
}

/**
 * Percentile bootstrap of statistics of a set of cases, such as a micro F1 over summed counts; `statistics` is given
 * resampled case indices and returns null where one is undefined.
 */
export function bootstrapStatistics(
  cases: number,
  statistics: (indices: Int32Array) => Record<string, number | null>,
  { random, resamples = 1000, level }: BootstrapOptions,
): Record<string, Interval> {
  if (cases === 0) return {};
  const found = new Map<string, number[]>();
  const indices = new Int32Array(cases);
  for (let r = 0; r < resamples; r++) {
    for (let i = 0; i < cases; i++) indices[i] = Math.floor(random() * cases);
    for (const [name, value] of Object.entries(statistics(indices)))
      if (value !== null) listAt(found, name).push(value);
  }
  const entries = Object.entries(statistics(indices.map((_, i) => i))).flatMap(([name, estimate]) =>
    estimate === null
      ? []
      : [[name, takePercentiles(estimate, Float64Array.from(found.get(name) ?? []).sort(), level)]],
  );
  return Object.fromEntries(entries);
}

function resampleMeans(values: number[], { random, resamples = 2000 }: BootstrapOptions): Float64Array {
  const size = values.length;
  const means = new Float64Array(size === 0 ? 0 : resamples);
  for (let r = 0; r < means.length; r++) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += values[Math.floor(random() * size)] as number;
    means[r] = sum / size;
  }
  return means.sort();
}

function takePercentiles(estimate: number, sorted: Float64Array, level = 0.95): Interval {
  if (sorted.length === 0) return { estimate, low: estimate, high: estimate };
  const tail = (1 - level) / 2;
  const values = Array.from(sorted);
  return { estimate, low: quantileSorted(values, tail), high: quantileSorted(values, 1 - tail) };
}

function computeTwoSidedP(sorted: Float64Array): number {
  let below = 0;
  let above = 0;
  for (const value of sorted) {
    if (value <= 0) below++;
    if (value >= 0) above++;
  }
  return Math.min(1, (2 * (Math.min(below, above) + 1)) / (sorted.length + 1));
}

function mean(values: number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return values.length === 0 ? 0 : sum / values.length;
}

function listAt(lists: Map<string, number[]>, name: string): number[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}
