/** One side of a change: how often it occurred, of how much. */
export type Side = { count: number; exposure: number };

/** Where a rate changed: the first stretch of the new rate, both sides, and how clear the change is (about nats). */
export type RateChange = { at: number; before: Side; after: Side; clarity: number };

/** A change must be this clear, twofold, and show in this many occurrences. */
const clearFrom = 10;
const leastFactor = 2;
const leastCount = 5;
/** Fewer stretches on one side say nothing about a rate. */
const leastStretches = 4;

/**
 * Finds where the rate of something changed most clearly (root-cause spec §2.6): the split of the stretches that best explains the counts
 * by two rates, if it is clearly better than one rate. `exposures` is what the counts are of; all ones when of time.
 * Counts that scatter more than chance explains need a clearer split.
 */
export function findChange(counts: ArrayLike<number>, exposures: ArrayLike<number>, length: number): RateChange | null {
  const total = addUp(counts, exposures, 0, length);
  if (total.count < leastCount || total.exposure === 0) return null;
  let best: RateChange | null = null;
  const before: Side = { count: 0, exposure: 0 };
  for (let at = 1; at <= length - leastStretches; at += 1) {
    before.count += counts[at - 1] ?? 0;
    before.exposure += exposures[at - 1] ?? 0;
    if (at < leastStretches) continue;
    const after = { count: total.count - before.count, exposure: total.exposure - before.exposure };
    const clarity = scoreSide(before) + scoreSide(after) - scoreSide(total);
    if (clarity > (best?.clarity ?? 0)) best = { at, before: { ...before }, after, clarity };
  }
  if (best === null || !isTwofold(best)) return null;
  const clarity = best.clarity / measureScatter(counts, exposures, best, length);
  return clarity >= clearFrom ? { ...best, clarity } : null;
}

/** The log-likelihood of a count under its own rate. */
function scoreSide({ count, exposure }: Side): number {
  return count === 0 || exposure === 0 ? 0 : count * Math.log(count / exposure);
}

function isTwofold({ before, after }: RateChange): boolean {
  const [a, b] = [rateOf(before), rateOf(after)];
  return Math.max(before.count, after.count) >= leastCount && Math.max(a, b) >= leastFactor * Math.min(a, b);
}

function rateOf({ count, exposure }: Side): number {
  return exposure === 0 ? 0 : count / exposure;
}

/** How much more the counts scatter around the two rates than chance alone would make them; at least 1. */
function measureScatter(
  counts: ArrayLike<number>,
  exposures: ArrayLike<number>,
  change: RateChange,
  length: number,
): number {
  let sum = 0;
  let used = 0;
  for (let index = 0; index < length; index += 1) {
    const expected = (exposures[index] ?? 0) * rateOf(index < change.at ? change.before : change.after);
    if (expected <= 0) continue;
    used += 1;
    sum += ((counts[index] ?? 0) - expected) ** 2 / expected;
  }
  return used > 2 ? Math.max(1, sum / (used - 2)) : 1;
}

function addUp(counts: ArrayLike<number>, exposures: ArrayLike<number>, from: number, to: number): Side {
  const side = { count: 0, exposure: 0 };
  for (let index = from; index < to; index += 1) {
    side.count += counts[index] ?? 0;
    side.exposure += exposures[index] ?? 0;
  }
  return side;
}
