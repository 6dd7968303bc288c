import { readFileSync } from "node:fs";
import { createRanking, type Statement } from "../../../knowledge/documents/index.ts";
import type { Candidate, InForce, Reading } from "./candidates.ts";

/** What is looked at to say how certain an answer is, each 0 to 1. */
export type Signs = Record<
  | "coverage"
  | "unknown"
  | "absent"
  | "expected"
  | "loose"
  | "margin"
  | "words"
  | "conflict"
  | "open"
  | "combined"
  | "short"
  | "first",
  number
>;

/** Below `least` there is no answer; from `sure` on hardly any answer in the folders it was fitted on was wrong. */
type Fit = { bias: number; weights: Signs; least: number; sure: number };
const fit = JSON.parse(readFileSync(new URL("../../../../data/question/certainty.json", import.meta.url), "utf8")) as {
  fit: Fit;
};

/** Reads the signs of an answer: how much of the question its statement covers, what no document mentions, how far the next answer is behind. */
export function readSigns(
  { holds, against, settled }: InForce,
  next: Candidate | null,
  { asked, coverage, statements }: Reading,
): Signs {
  const ranking = createRanking(asked.question);
  ranking.add(statements);
  const order = ranking.rank(10);
  const rank = (statement: Statement): number => {
    const at = order.findIndex(({ place }) => statements[place] === statement);
    return at < 0 ? 10 : at;
  };
  // A comparison stands by its rule: no single statement has to lead.
  const isCompared = holds.how === "comparison";
  const unknown = coverage.listUnknown(asked.question).length / Math.max(1, asked.terms.length);
  return {
    coverage: Math.min(1, holds.coverage),
    unknown: Math.min(1, unknown),
    absent: coverage.listAbsent(asked.question).length > 0 ? 1 : 0,
    expected: holds.isExpected ? 1 : 0,
    loose: !holds.isExpected && asked.kind !== null && asked.kind !== "yesno" ? 1 : 0,
    margin: next && !isCompared ? Math.max(0, Math.min(1, (holds.score - next.score) / Math.max(0.1, holds.score))) : 1,
    words: Math.min(1, new Set(holds.terms).size / 4),
    conflict: against !== null && settled !== null ? 1 : 0,
    open: against !== null && settled === null ? 1 : 0,
    combined: holds.how === "stated" ? 0 : 1,
    short: holds.short === null ? 0 : 1,
    first: isCompared ? 1 : 1 / (1 + rank(holds.statement)),
  };
}

/** The certainty from which on something is answered, the one that only sure answers pass, and the highest. */
export const stated = { least: 0.5, sure: 0.6, most: 0.95 };

/**
 * How certain an answer is: a logistic score of its signs, fitted on labelled questions of other folders. What scores as
 * answers did that were sometimes wrong lies between .5 and .6, whatever their average, since a new folder may be like the
 * worst of those (question spec §7.4).
 */
export function estimateCertainty(signs: Signs): number {
  const { bias, weights, least, sure } = fit.fit;
  const sum = Object.entries(weights).reduce(
    (total, [sign, weight]) => total + weight * signs[sign as keyof Signs],
    bias,
  );
  const score = 1 / (1 + Math.exp(-sum));
  if (score < least) return (score / least) * stated.least;
  const isSure = score >= sure;
  const [from, to, low, high] = isSure ? [sure, 1, stated.sure, stated.most] : [least, sure, stated.least, stated.sure];
  return low + ((score - from) / Math.max(1e-9, to - from)) * (high - low);
}
