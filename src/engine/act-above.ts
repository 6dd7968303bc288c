import * as z from "zod";
import type { Protocol } from "./pack.ts";

/** The setting that makes a pack act only where it is sure enough; a certificate gives its value. */
export const ActAboveSchema = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe("decisions with a stated confidence below this go to a person; left out, every decision stands");

/** Hands decisions that are less sure than `act_above` to a person. */
export function escalateUnsure<I, C, D, M>(
  protocol: Protocol<I, C, D, M>,
  confidenceOf: (decision: D) => number | null,
): Protocol<I, C, D, M> {
  return async (debate, given, config) => {
    const verdict = await protocol(debate, given, config);
    const { act_above: needed } = config as { act_above?: number };
    if (needed === undefined || verdict.outcome !== "decided") return verdict;
    const confidence = confidenceOf(verdict.decision);
    const act = confidence !== null && confidence >= needed;
    debate.note("act_above", { confidence, needed, act });
    if (act) return verdict;
    const stated = confidence === null ? "no confidence is stated" : `the confidence is ${round(confidence)}`;
    return {
      ...verdict,
      outcome: "escalated",
      reasons: [...verdict.reasons, `not sure enough to act: ${stated}, ${round(needed)} is needed`],
    };
  };
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
