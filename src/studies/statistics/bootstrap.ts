import { quantileSorted } from "simple-statistics";
import type { Interval } from "./interval.ts";
import type { Random } from "../../engine/random.ts";

export type BootstrapOptions = { random: Random; resamples?: number; level?: number };

/** The difference of two arms on the same cases; `p` is two-sided and never 0. */
export type PairedDifference = Interval & { p: number; cases: number };

/**
 * Percentile bootstrap of the mean difference `b − a` over cases (product spec, section 5).
 * Cases are resampled in pairs; several seeds of a case must be averaged first, since they are not independent cases.
 */
export function pairedBootstrap(a: number[], b: number[], options: BootstrapOptions): PairedDifference {
  if (a.length !== b.length)
    throw new RangeError(`paired samples must have the same length, got ${a.length} and ${b.length}`);
  const differences = b.map((value, i) => value - (a[i] as number));
  const means = resampledMeans(differences, options);
  return { ...percentiles(mean(differences), means, options.level), p: twoSided(means), cases: a.length };
}

/** Percentile bootstrap of a mean over cases. */
export function bootstrapMean(values: number[], options: BootstrapOptions): Interval {
  return percentiles(mean(values), resampledMeans(values, options), options.level);
}

/**
 * Percentile bootstrap of any statistic of a set of cases, such as a micro F1 over summed counts;
 * `statistic` is given the resampled case indices and returns null where it is undefined.
 */
export function bootstrapStatistic(
  cases: number,
  statistic: (indices: Int32Array) => number | null,
  options: BootstrapOptions,
): Interval | null {
  const all = Int32Array.from({ length: cases }, (_, i) => i);
  const estimate = cases === 0 ? null : statistic(all);
  if (estimate === null) return null;
  const found: number[] = [];
  const indices = new Int32Array(cases);
  for (let r = 0; r < (options.resamples ?? 2000); r++) {
    for (let i = 0; i < cases; i++) indices[i] = Math.floor(options.random() * cases);
    const value = statistic(indices);
    if (value !== null) found.push(value);
  }
  return percentiles(estimate, Float64Array.from(found).sort(), options.level);
}

function resampledMeans(values: number[], { random, resamples = 2000 }: BootstrapOptions): Float64Array {
  const size = values.length;
  const means = new Float64Array(size === 0 ? 0 : resamples);
  for (let r = 0; r < means.length; r++) {
    let sum = 0;
    for (let i = 0; i < size; i++) sum += values[Math.floor(random() * size)] as number;
    means[r] = sum / size;
  }
  return means.sort();
}

function percentiles(estimate: number, sorted: Float64Array, level = 0.95): Interval {
  if (sorted.length === 0) return { estimate, low: estimate, high: estimate };
  const tail = (1 - level) / 2;
  const values = Array.from(sorted);
  return { estimate, low: quantileSorted(values, tail), high: quantileSorted(values, 1 - tail) };
}

function twoSided(sorted: Float64Array): number {
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
