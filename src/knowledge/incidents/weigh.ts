import { readFileSync } from "node:fs";
import * as z from "zod";

/** Evidence for and against a suspect, by name; missing names are zero. */
export type Features = Record<string, number>;

const file = new URL("../../../data/rca/weights.json", import.meta.url);
let weights: Record<string, number> | null = null;

/** Strengths are shown on a scale on which this is as likely as something unknown. */
export const unknownStrength = 0.3;
const [base, scale] = [Math.log(unknownStrength / (1 - unknownStrength)), 0.5];

/** The strength of a suspect, or of the claim that there is no fault, by itself, 0..1, under fitted weights (`npm run bench:rca fit`). */
export function rateSuspect(features: Features): number {
  weights ??= z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(file, "utf8")));
  const own = weights;
  const score = Object.entries(features).reduce((sum, [name, value]) => sum + value * (own[name] ?? 0), 0);
  return 1 / (1 + Math.exp(-base - scale * score));
}

/** How likely each of several suspects is the cause, from their strengths, besides something unknown: together below 1. */
export function shareOut(strengths: readonly number[]): number[] {
  const odds = strengths.map((strength) => {
    const held = Math.min(0.999, Math.max(0.001, strength));
    return Math.exp((Math.log(held / (1 - held)) - base) / scale);
  });
  const all = odds.reduce((sum, one) => sum + one, 1);
  return odds.map((one) => one / all);
}
