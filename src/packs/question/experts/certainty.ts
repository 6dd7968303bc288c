import { readFileSync } from "node:fs";

/** What signs weigh together, as log odds. */
export type Weights = { bias: number; weights: Record<string, number> };

/**
 * What was fitted on labelled folders: how parts of statements are ranked, and how likely the best one is right. Below
 * `least` there is no answer; from `sure` on hardly any answer in those folders was wrong.
 */
export type Fit = { rank: Weights; certainty: Weights; least: number; sure: number };

/** The fit that the product ships. */
export const shippedFit = JSON.parse(
  readFileSync(new URL("../../../../data/question/certainty.json", import.meta.url), "utf8"),
) as Fit;

/** The logistic score of some signs, 0 to 1. */
export function scoreSigns({ bias, weights }: Weights, signs: Record<string, number>): number {
  const sum = Object.entries(weights).reduce((total, [sign, weight]) => total + weight * (signs[sign] ?? 0), bias);
  return 1 / (1 + Math.exp(-sum));
}

/** The certainty from which on something is answered, the one that only sure answers pass, and the highest. */
export const stated = { least: 0.5, sure: 0.6, most: 0.95 };

/**
 * How certain an answer is. What scores as answers did that were sometimes wrong lies between .5 and .6, whatever their
 * average, since a new folder may be like the worst of those (question spec §7.4).
 */
export function estimateCertainty(signs: Record<string, number>, { certainty, least, sure }: Fit): number {
  const score = scoreSigns(certainty, signs);
  if (score < least) return (score / least) * stated.least;
  const isSure = score >= sure;
  const [from, to, low, high] = isSure ? [sure, 1, stated.sure, stated.most] : [least, sure, stated.least, stated.sure];
  return low + ((score - from) / Math.max(1e-9, to - from)) * (high - low);
}
