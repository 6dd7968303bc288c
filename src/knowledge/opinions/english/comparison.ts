import type { Attachment } from "../reading/structure.ts";
import type { Analysis } from "./analyse.ts";
import type { EnglishOpinion } from "./opinions/opinion.ts";
import { findPhraseObject } from "./relations.ts";

/** "not as nice as the decor": what the subject falls short of has the quality. */
export function readComparison(analysis: Analysis, opinion: EnglishOpinion): Attachment | null {
  const { tokens } = analysis;
  const clause = analysis.clauses[opinion.clause];
  const chunk = clause?.chunks.find((one) => opinion.from >= one.from && opinion.from < one.to);
  const asked = tokens.slice(Math.max(0, opinion.from - 3), opinion.from).some((token) => token.lower === "as");
  if (!clause || !chunk || !asked || !opinion.negated) return null;
  const other = findPhraseObject(analysis, clause, chunk, /^as$/);
  if (other.length === 0) return null;
  const value = Math.abs(opinion.base);
  const turned = { ...opinion, value, negated: false, valueFor: () => value };
  return { opinion: turned, targets: other, second: [], via: "compared with" };
}
