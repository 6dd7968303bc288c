import { readFileSync } from "node:fs";

export type Weights = { bias: number; weights: Record<string, number> };

export type Fit = { rank: Weights; certainty: Weights };

export const shippedFit = JSON.parse(
  readFileSync(new URL("../../../../data/question/certainty.json", import.meta.url), "utf8"),
) as Fit;

/** The logistic score of some signs, 0 to 1. */
export function scoreSigns({ bias, weights }: Weights, signs: Record<string, number>): number {
  const sum = Object.entries(weights).reduce((total, [sign, weight]) => total + weight * (signs[sign] ?? 0), bias);
  return 1 / (1 + Math.exp(-sum));
}

const sure = 0.85;

/** The certainty that is stated for a fitted chance of at least one half: above .6 only where it is sure, since a new folder may be like the worst of those known (question spec §7.4). */
export function stateCertainty(chance: number): number {
  if (chance < 0.5) return chance;
  return chance < sure ? 0.5 + ((chance - 0.5) / (sure - 0.5)) * 0.1 : 0.6 + ((chance - sure) / (1 - sure)) * 0.35;
}
