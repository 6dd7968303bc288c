import { readFileSync } from "node:fs";
import * as z from "zod";

/** Evidence for and against a suspect, by name; missing names are zero. */
export type Features = Record<string, number>;

const WeightsSchema = z.strictObject({
  suspect: z.record(z.string(), z.number()),
  confidence: z.record(z.string(), z.number()),
});

const file = new URL("../../../data/rca/weights.json", import.meta.url);
let weights: z.infer<typeof WeightsSchema> | null = null;

/** The logistic value of features under fitted weights (`npm run bench:rca fit`). */
function rate(kind: keyof z.infer<typeof WeightsSchema>, features: Features): number {
  weights ??= WeightsSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  const own = weights[kind];
  const score = Object.entries(features).reduce((sum, [name, value]) => sum + value * (own[name] ?? 0), own.bias ?? 0);
  return 1 / (1 + Math.exp(-score));
}

/** The strength of a suspect, or of the claim that there is no fault, by itself: 0..1. */
export function rateSuspect(features: Features): number {
  return rate("suspect", features);
}

/** How often a reading of that strength, that lead over its strongest rival and that kind of evidence was right. */
export function rateConfidence(strength: number, lead: number, kind: string): number {
  return rate("confidence", describeConfidence(strength, lead, kind));
}

export function describeConfidence(strength: number, lead: number, kind: string): Features {
  const held = Math.min(0.99, Math.max(0.01, strength));
  return { strength: Math.log(held / (1 - held)), lead, [kind]: 1 };
}
