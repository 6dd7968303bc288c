import { leastHypotheses, mostHypotheses, type SalvagedReply } from "../schemas/hypothesis.ts";

type Unnumbered = Omit<SalvagedReply["hypotheses"][number], "id">;

/** Gives ids in the order of confidence, and says why there are fewer than three if so. */
export function numberHypotheses(hypotheses: Unnumbered[], prefix: string, why: string): SalvagedReply {
  const ordered = hypotheses.toSorted((a, b) => b.confidence - a.confidence).slice(0, mostHypotheses);
  return {
    hypotheses: ordered.map((hypothesis, index) => ({ id: `${prefix}_${index + 1}`, ...hypothesis })),
    fewer_reason: ordered.length < leastHypotheses ? why : null,
  };
}

/** A confidence with two decimals. */
export function roundConfidence(value: number): number {
  return Math.round(value * 100) / 100;
}
