import { binomialTail, boundShare } from "./binomial.ts";

/** A labelled decision: how sure it was, and whether it was right. */
export type Labelled = { confidence: number | null; right: boolean };

/** The threshold that keeps a promise, with what it rests on. */
export type Chosen = { threshold: number | null; acted: number; wrong: number; bound: number | null };

/**
 * Chooses the lowest confidence from which on decisions may be acted on, so that of those at most `maxWrong` are wrong,
 * with `certainty` over the draw of the labelled cases. Thresholds are tried from the strictest down, each by an exact
 * binomial test, and the first that fails ends it: so the whole sequence errs no more often than one test (fixed-sequence
 * testing). It starts where there are enough cases to pass at all, which the confidences alone tell.
 */
export function chooseThreshold(cases: readonly Labelled[], maxWrong: number, certainty = 0.95): Chosen {
  const sure = cases
    .filter((one): one is { confidence: number; right: boolean } => one.confidence !== null)
    .toSorted((a, b) => b.confidence - a.confidence);
  const least = countNeeded(maxWrong, certainty);
  let chosen: Chosen = { threshold: null, acted: 0, wrong: 0, bound: null };
  let wrong = 0;
  for (const [at, { confidence, right }] of sure.entries()) {
    if (!right) wrong += 1;
    const acted = at + 1;
    if (sure[acted]?.confidence === confidence || acted < least) continue;
    if (binomialTail(wrong, acted, maxWrong) > 1 - certainty) break;
    chosen = { threshold: confidence, acted, wrong, bound: boundShare(wrong, acted, certainty) };
  }
  return chosen;
}

/** How many decisions without a single error it takes to promise this. */
export function countNeeded(maxWrong: number, certainty = 0.95): number {
  return Math.ceil(Math.log(1 - certainty) / Math.log(1 - maxWrong));
}
