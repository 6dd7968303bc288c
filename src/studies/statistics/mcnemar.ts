import { errorFunction, gammaln } from "simple-statistics";

/** McNemar's test of two arms on the same cases; p-values are two-sided. */
export type McNemar = {
  /** Cases that only the first arm had right. */
  onlyFirst: number;
  /** Cases that only the second arm had right. */
  onlySecond: number;
  exactP: number;
  midP: number;
  /** With Edwards' continuity correction; null without a discordant case. */
  chiSquared: number | null;
  chiSquaredP: number;
};

/** Counts the discordant pairs of two arms and tests them. */
export function mcnemarOf(first: boolean[], second: boolean[]): McNemar {
  if (first.length !== second.length)
    throw new RangeError(`paired samples must have the same length, got ${first.length} and ${second.length}`);
  let onlyFirst = 0;
  let onlySecond = 0;
  for (const [i, right] of first.entries()) {
    if (right && !second[i]) onlyFirst++;
    if (!right && second[i]) onlySecond++;
  }
  return mcnemar(onlyFirst, onlySecond);
}

/** McNemar's test from the two discordant counts: exact binomial, mid-p and corrected chi-squared. */
export function mcnemar(onlyFirst: number, onlySecond: number): McNemar {
  const discordant = onlyFirst + onlySecond;
  const smaller = Math.min(onlyFirst, onlySecond);
  const tail = computeHalfBinomialTail(discordant, smaller);
  const point = computeHalfBinomial(discordant, smaller);
  const chiSquared = discordant === 0 ? null : Math.max(0, Math.abs(onlyFirst - onlySecond) - 1) ** 2 / discordant;
  return {
    onlyFirst,
    onlySecond,
    exactP: Math.min(1, 2 * tail),
    midP: discordant === 0 ? 1 : Math.min(1, 2 * tail - point),
    chiSquared,
    chiSquaredP: chiSquared === null ? 1 : 1 - errorFunction(Math.sqrt(chiSquared / 2)),
  };
}

function computeHalfBinomialTail(trials: number, successes: number): number {
  let sum = 0;
  for (let k = 0; k <= successes; k++) sum += computeHalfBinomial(trials, k);
  return Math.min(1, sum);
}

function computeHalfBinomial(trials: number, successes: number): number {
  const choose = gammaln(trials + 1) - gammaln(successes + 1) - gammaln(trials - successes + 1);
  return Math.exp(choose - trials * Math.LN2);
}
