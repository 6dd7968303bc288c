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

/** The fitted chances from which an answer is given, and from which it may be stated above .6. */
const levels = { answer: 0.6, high: 0.94 };

/**
 * The certainty that is stated for a fitted chance; below .5 nothing is answered. What is asked for by type must be there as
 * such, and above .6 stands only what was never wrong on other folders (question spec §7.4).
 */
export function stateCertainty(chance: number, signs: Record<"typed" | "untyped", number>): number {
  const isTyped = signs.typed === 1 || (signs.typed === 0 && signs.untyped === 0);
  if (!isTyped) return 0;
  const { answer, high } = levels;
  if (chance < answer) return (chance / answer) * 0.5;
  return chance < high
    ? 0.5 + ((chance - answer) / (high - answer)) * 0.1
    : 0.6 + ((chance - high) / (1 - high)) * 0.35;
}
