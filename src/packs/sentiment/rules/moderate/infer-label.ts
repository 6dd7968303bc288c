import type { Label, PatchSummary, StanceSummary, Tuple } from "../../schemas/debate.ts";

const keywords: [Exclude<Label, "mixed">, string[]][] = [
  ["positive", ["긍정", "호의", "좋다", "positive"]],
  ["negative", ["부정", "비판", "나쁘", "negative"]],
  ["neutral", ["중립", "neutral", "모호"]],
];
const mixedKeywords = ["혼합", "mixed", "엇갈", "양면"];

/** A judge's summary of either style, or what there is of one. */
export type DebateSummary = Partial<PatchSummary> & Partial<Omit<StanceSummary, "rationale">>;

/** What the debate says of the sentence (Rule E, sentiment spec §8); null when it says nothing. */
export function inferLabel(summary: DebateSummary | null, settled: readonly Tuple[] | null): Label | null {
  if (summary === null) return null;
  return (
    summary.sentence_polarity ??
    labelTuples(settled ?? summary.final_tuples ?? []) ??
    readLabel(summary.consensus ?? "") ??
    readLabel(summary.rationale ?? "") ??
    readLabel((summary.key_agreements ?? []).join("\n")) ??
    readLabel((summary.key_disagreements ?? []).join("\n"))
  );
}

function labelTuples(tuples: readonly Tuple[]): Label | null {
  const found = [...new Set(tuples.map((tuple) => tuple.polarity))];
  return found.length > 1 ? "mixed" : (found[0] ?? null);
}

/** The label that a text names; both sides named is mixed. */
export function readLabel(text: string): Label | null {
  const lower = text.toLowerCase();
  const has = (words: string[]) => words.some((word) => lower.includes(word));
  const named = keywords.filter(([, words]) => has(words)).map(([label]) => label);
  if (has(mixedKeywords) || (named.includes("positive") && named.includes("negative"))) return "mixed";
  return named[0] ?? null;
}
