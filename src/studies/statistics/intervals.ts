import { errorFunction, quantileSorted } from "simple-statistics";
import type { Random } from "../../text/random.ts";

export type Interval = { estimate: number; low: number; high: number };

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
}

export function normalCdf(z: number): number {
  return (1 + errorFunction(z / Math.SQRT2)) / 2;
}

/** 95 % of a standard normal distribution lie between this and its negative. */
const z = 1.959963984540054;

export function wilson(successes: number, trials: number): Interval | null {
  if (trials === 0) return null;
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const centre = (share + z ** 2 / (2 * trials)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2))) / scale;
  return { estimate: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

export function binomialTail(successes: number, trials: number, chance: number): number {
  if (chance <= 0) return 1;
  if (chance >= 1) return successes >= trials ? 1 : 0;
  let term = trials * Math.log1p(-chance);
  let sum = Math.exp(term);
  for (let k = 1; k <= Math.min(successes, trials); k += 1) {
    term += Math.log((trials - k + 1) / k) + Math.log(chance) - Math.log1p(-chance);
    sum += Math.exp(term);
  }
  return Math.min(1, sum);
}

/** The greatest share that would still bring so few successes with a chance of 1 − certainty (Clopper–Pearson, one-sided). */
export function boundShare(successes: number, trials: number, certainty: number): number {
  if (trials === 0 || successes >= trials) return 1;
  let [low, high] = [successes / trials, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (binomialTail(successes, trials, middle) > 1 - certainty) low = middle;
    else high = middle;
  }
  return high;
}

export function exactShare(successes: number, trials: number): Interval {
  const certainty = 0.975;
  return {
    estimate: trials === 0 ? 0 : successes / trials,
    low: trials === 0 ? 0 : 1 - boundShare(trials - successes, trials, certainty),
    high: boundShare(successes, trials, certainty),
  };
}

type BootstrapOptions = { random: Random; resamples?: number };

/** Percentile bootstrap of a mean over cases; several seeds of a case are averaged first, since they are not independent cases. */
export function bootstrapMean(values: number[], options: BootstrapOptions): Interval {
  const { random, resamples = 2000 } = options;
  const mean = (sum: number): number => (values.length === 0 ? 0 : sum / values.length);
  const means = new Float64Array(values.length === 0 ? 0 : resamples).map(() => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[Math.floor(random() * values.length)] as number;
    return mean(sum);
  });
  return takePercentiles(mean(values.reduce((sum, one) => sum + one, 0)), means.sort(), values.length);
}

/** Percentile bootstrap of statistics of resampled case indices, such as a micro F1; null where one is undefined. */
export function bootstrapStatistics(
  cases: number,
  statistics: (indices: Int32Array) => Record<string, number | null>,
  { random, resamples = 1000 }: BootstrapOptions,
): Record<string, Interval> {
  if (cases === 0) return {};
  const found = new Map<string, number[]>();
  const indices = new Int32Array(cases);
  for (let r = 0; r < resamples; r++) {
    for (let i = 0; i < cases; i++) indices[i] = Math.floor(random() * cases);
    for (const [name, value] of Object.entries(statistics(indices))) {
      if (value === null) continue;
      const list = found.get(name) ?? [];
      found.set(name, list);
      list.push(value);
    }
  }
  const entries = Object.entries(statistics(indices.map((_, i) => i))).flatMap(([name, estimate]) =>
    estimate === null
      ? []
      : [[name, takePercentiles(estimate, Float64Array.from(found.get(name) ?? []).sort(), cases)]],
  );
  return Object.fromEntries(entries);
}

/** Fewer cases than this say too little of how they vary: their bootstrap would be too narrow. */
const fewestResampled = 6;

function takePercentiles(estimate: number, sorted: Float64Array, cases: number): Interval {
  if (sorted.length === 0) return { estimate, low: estimate, high: estimate };
  if (cases < fewestResampled) return { estimate, low: Math.min(0, estimate), high: Math.max(1, estimate) };
  const values = Array.from(sorted);
  return { estimate, low: quantileSorted(values, 0.025), high: quantileSorted(values, 0.975) };
}
