import { quantileSorted, sampleCorrelation } from "simple-statistics";
import { type Random, createRandom } from "../../text/random.ts";

export type Interval = { estimate: number; low: number; high: number };

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
}

/** 97.5% quantile of the standard normal distribution. */
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

/** One-sided Clopper–Pearson upper bound. */
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

/** Percentile bootstrap of a mean over cases; seeds of a case are averaged first, since they are not independent. */
export function bootstrapMean(values: number[], { random, resamples = 2000 }: BootstrapOptions): Interval {
  const measure = (indices: Int32Array) => ({
    mean: indices.reduce((sum, at) => sum + (values[at] as number), 0) / values.length,
  });
  return bootstrapStatistics(values.length, measure, { random, resamples }).mean ?? { estimate: 0, low: 0, high: 0 };
}

/** Percentile bootstrap of statistics of resampled cases, such as a micro F1; null where undefined. */
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

/** With fewer cases the bootstrap would be too narrow. */
const fewestResampled = 6;

function takePercentiles(estimate: number, sorted: Float64Array, cases: number): Interval {
  if (sorted.length === 0) return { estimate, low: estimate, high: estimate };
  if (cases < fewestResampled) return { estimate, low: Math.min(0, estimate), high: Math.max(1, estimate) };
  const values = Array.from(sorted);
  return { estimate, low: quantileSorted(values, 0.025), high: quantileSorted(values, 0.975) };
}

/** Two arms on the same cases; `wins` and `losses` count where they differ, `exact` means each case is right or wrong. */
export type PairedTest = { difference: Interval; p: number; wins: number; losses: number; exact: boolean };

/** With fewer differing cases no exact test can reach the 5% level. */
export const fewestDiffering = 6;

/** Tests `b − a`: McNemar's exact test with its interval for right or wrong; else sign flips and a bootstrap. */
export function testPaired(a: number[], b: number[]): PairedTest {
  if (a.length !== b.length)
    throw new RangeError(`paired samples must have the same length, got ${a.length} and ${b.length}`);
  const differences = b.map((value, i) => value - (a[i] as number));
  const wins = differences.filter((one) => one > 0).length;
  const losses = differences.filter((one) => one < 0).length;
  const exact = differences.every((one) => one === 0 || Math.abs(one) === 1);
  if (exact)
    return { difference: spanDiffering(wins, losses, a.length), p: mcnemarP(wins, losses), wins, losses, exact };
  const difference = bootstrapMean(differences, { random: createRandom(a.length), resamples: 5000 });
  return { difference, p: turnSigns(differences), wins, losses, exact };
}

export function mcnemarP(onlyFirst: number, onlySecond: number): number {
  return Math.min(1, 2 * binomialTail(Math.min(onlyFirst, onlySecond), onlyFirst + onlySecond, 0.5));
}

function spanDiffering(wins: number, losses: number, cases: number): Interval {
  const differing = wins + losses;
  if (differing === 0) {
    const bound = boundDifference(cases);
    return { estimate: 0, low: -bound, high: bound };
  }
  const share = exactShare(wins, differing);
  const scale = (value: number): number => ((2 * value - 1) * differing) / cases;
  return { estimate: (wins - losses) / cases, low: scale(share.low), high: scale(share.high) };
}

const mostTurned = 12;
const turns = 10_000;

function turnSigns(differences: readonly number[]): number {
  const nonzero = differences.filter((one) => one !== 0);
  const seen = Math.abs(nonzero.reduce((sum, one) => sum + one, 0)) - 1e-9;
  if (nonzero.length <= mostTurned) {
    const all = 2 ** nonzero.length;
    let asFar = 0;
    for (let signs = 0; signs < all; signs++)
      if (Math.abs(nonzero.reduce((sum, one, i) => sum + ((signs >> i) & 1 ? one : -one), 0)) >= seen) asFar++;
    return asFar / all;
  }
  const random = createRandom(nonzero.length);
  let asFar = 0;
  for (let turn = 0; turn < turns; turn++) {
    let sum = 0;
    for (const one of nonzero) sum += random() < 0.5 ? one : -one;
    if (Math.abs(sum) >= seen) asFar++;
  }
  return (asFar + 1) / (turns + 1);
}

export function holm(pValues: number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index);
  const adjusted = Array.from({ length: pValues.length }, () => 1);
  let running = 0;
  for (const [rank, { p, index }] of order.entries()) {
    running = Math.max(running, Math.min(1, (pValues.length - rank) * p));
    adjusted[index] = running;
  }
  return adjusted;
}

export function boundDifference(cases: number): number {
  return cases === 0 ? 1 : 1 - 0.05 ** (1 / cases);
}

/** Phi of the errors of each pair; null when one is always right or always wrong. */
export function errorCorrelations(rights: readonly (readonly boolean[])[]): (number | null)[] {
  const numbers = rights.map((own) => own.map(Number));
  const isConstant = (own: readonly number[]): boolean => new Set(own).size < 2;
  return numbers.flatMap((first, i) =>
    numbers
      .slice(i + 1)
      .map((second) => (isConstant(first) || isConstant(second) ? null : sampleCorrelation(first, second))),
  );
}

export function effectiveVotes(players: number, correlation: number): number {
  return players / (1 + (players - 1) * Math.max(0, correlation));
}

/** The mean loss (1 − score) when only the most confident share of cases is acted on. */
export type RiskPoint = { coverage: number; wrong: number };

export function measureRisk(cases: readonly { confidence: number; score: number }[]): RiskPoint[] {
  let loss = 0;
  return cases
    .toSorted((a, b) => b.confidence - a.confidence)
    .map(({ score }, i) => {
      loss += 1 - score;
      return { coverage: (i + 1) / cases.length, wrong: loss / (i + 1) };
    });
}
