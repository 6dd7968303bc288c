import { bisect } from "simple-statistics";
import { normalQuantile } from "./normal.ts";

export type EffectOptions = { alpha?: number; power?: number };

/**
 * The smallest difference in accuracy between two arms on the same `cases` that McNemar's test finds with the given
 * power (Connor 1987), when a share `discordance` of the cases is right in exactly one arm; null when even a difference
 * as large as the discordance would be missed.
 */
export function detectableAccuracyDifference(
  cases: number,
  discordance: number,
  { alpha = 0.05, power = 0.8 }: EffectOptions = {},
): number | null {
  const zAlpha = normalQuantile(1 - alpha / 2);
  const zBeta = normalQuantile(power);
  const excess = (difference: number) =>
    Math.sqrt(cases) * difference -
    zAlpha * Math.sqrt(discordance) -
    zBeta * Math.sqrt(Math.max(0, discordance - difference ** 2));
  if (cases === 0 || excess(discordance) < 0) return null;
  return bisect(excess, 0, discordance, 200, 1e-10);
}

/** The smallest mean difference of paired scores that a two-sided test finds, given the deviation of the differences. */
export function detectableMeanDifference(
  cases: number,
  deviation: number,
  { alpha = 0.05, power = 0.8 }: EffectOptions = {},
): number | null {
  if (cases === 0) return null;
  return ((normalQuantile(1 - alpha / 2) + normalQuantile(power)) * deviation) / Math.sqrt(cases);
}

/** How often two arms may differ at all, when they agreed on every one of `cases` (exact upper bound). */
export function boundDifference(cases: number, level = 0.95): number {
  return cases === 0 ? 1 : 1 - (1 - level) ** (1 / cases);
}
