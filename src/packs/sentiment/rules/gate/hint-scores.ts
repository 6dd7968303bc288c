import { canonicalisePolarity } from "../tuples/canonical-polarity.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import type { Hint } from "../../schemas/stage2.ts";

/** The votes on an aspect, summed (sentiment spec §6). */
export type HintScores = {
  pos_score: number;
  neg_score: number;
  total: number;
  margin: number;
  target: Polarity | null;
  valid_hint_count: number;
  invalid_hint_count: number;
  /** Mean confidence of the votes for the target, where they state one. */
  targetConfidence: number | null;
};

/** Sums the hints of one aspect: neutral votes and removals are votes for neither side. */
export function scoreHints(hints: readonly Hint[], alreadyInvalid = 0): HintScores {
  const voting = hints.filter((hint) => hint.polarity_hint !== null);
  const sum = (polarity: Polarity) => round(votesFor(hints, polarity).reduce((total, hint) => total + hint.weight, 0));
  const [pos_score, neg_score] = [sum("positive"), sum("negative")];
  const valid_hint_count = votesFor(hints, "positive").length + votesFor(hints, "negative").length;
  const target = valid_hint_count === 0 ? null : pos_score > neg_score ? "positive" : "negative";
  const stated = (target === null ? [] : votesFor(hints, target))
    .map((hint) => hint.confidence)
    .filter((confidence) => confidence !== null);
  return {
    pos_score,
    neg_score,
    total: round(pos_score + neg_score),
    margin: round(Math.abs(pos_score - neg_score)),
    target,
    valid_hint_count,
    invalid_hint_count:
      alreadyInvalid + voting.filter((hint) => canonicalisePolarity(hint.polarity_hint) === null).length,
    targetConfidence: stated.length === 0 ? null : stated.reduce((a, b) => a + b, 0) / stated.length,
  };
}

function votesFor(hints: readonly Hint[], polarity: Polarity): Hint[] {
  return hints.filter((hint) => canonicalisePolarity(hint.polarity_hint) === polarity);
}

/** Drops the noise of adding decimals. */
function round(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}
