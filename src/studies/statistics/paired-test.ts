import { createRandom } from "../../text/random.ts";
import { binomialTail, bootstrapMean, exactShare, type Interval } from "./intervals.ts";

/** Two arms on the same cases; `wins` and `losses` are where they differ, `exact` that each case is right or wrong. */
export type PairedTest = { difference: Interval; p: number; wins: number; losses: number; exact: boolean };

/** Below so many cases on which two arms differ no exact test can tell them apart at the 5 % level. */
export const fewestDiffering = 6;

/** Tests `b − a`: McNemar's exact test and its interval for right or wrong; else sign flips and a bootstrap. */
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
