import { readFileSync } from "node:fs";
import type { Candidate, InForce, Reading } from "./candidates.ts";

/** What is looked at to say how certain an answer is, each 0 to 1. */
export type Signs = Record<
  "coverage" | "unknown" | "absent" | "expected" | "margin" | "words" | "conflict" | "open" | "combined" | "short",
  number
>;

type Fit = { bias: number; weights: Signs; most: number };
const fit = JSON.parse(readFileSync(new URL("../../../../data/question/certainty.json", import.meta.url), "utf8")) as {
  fit: Fit;
};

/** Reads the signs of an answer: how much of the question its statement covers, what no document mentions, how far the next answer is behind. */
export function readSigns(
  { holds, against, settled }: InForce,
  next: Candidate | null,
  { asked, coverage }: Reading,
): Signs {
  const unknown = coverage.listUnknown(asked.question).length / Math.max(1, asked.terms.length);
  return {
    coverage: Math.min(1, holds.coverage),
    unknown: Math.min(1, unknown),
    absent: coverage.listAbsent(asked.question).length > 0 ? 1 : 0,
    expected: holds.isExpected ? 1 : 0,
    margin: next ? Math.max(0, Math.min(1, (holds.score - next.score) / Math.max(0.1, holds.score))) : 1,
    words: Math.min(1, listCovered(holds, asked, coverage).length / 4),
    conflict: against !== null && settled !== null ? 1 : 0,
    open: against !== null && settled === null ? 1 : 0,
    combined: holds.how === "stated" ? 0 : 1,
    short: holds.short === null ? 0 : 1,
  };
}

/** The asked words that an answer covers, with the statements that it needs beside its own. */
function listCovered(
  { statement, steps }: Candidate,
  asked: Reading["asked"],
  coverage: Reading["coverage"],
): string[] {
  return [...new Set([statement, ...steps].flatMap((one) => coverage.covered(one, asked)))];
}

/** The probability that an answer is right: a logistic score fitted on labelled questions of other folders (question spec §7.4). */
export function estimateCertainty(signs: Signs): number {
  const { bias, weights, most } = fit.fit;
  const sum = Object.entries(weights).reduce(
    (total, [sign, weight]) => total + weight * signs[sign as keyof Signs],
    bias,
  );
  return Math.min(most, 1 / (1 + Math.exp(-sum)));
}
