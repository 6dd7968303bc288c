import type { Edit } from "../../schemas/debate.ts";
import type { Polarity, Sentiment } from "../../schemas/stage1.ts";
import type { DebateContext } from "../../schemas/role-inputs.ts";
import type { AspectView, Reading } from "../../../../knowledge/opinions/index.ts";

/** The grounds of an edit. */
type Evidence = { evidence: string | null; confidence: number | null };

export function confirm(aspect: string, polarity: Polarity, { evidence, confidence }: Evidence): Edit {
  return { op: "confirm_tuple", target: { aspect_ref: aspect, polarity }, value: null, evidence, confidence };
}

export function set(aspect: string, from: Polarity | null, to: Polarity, { evidence, confidence }: Evidence): Edit {
  return { op: "set_polarity", target: { aspect_ref: aspect, polarity: from }, value: to, evidence, confidence };
}

export function drop(aspect: string, { evidence, confidence }: Evidence): Edit {
  return { op: "drop_tuple", target: { aspect_ref: aspect, polarity: null }, value: null, evidence, confidence };
}

export function rename(
  op: "set_aspect_ref" | "merge_tuples",
  aspect: string,
  to: string,
  { evidence, confidence }: Evidence,
): Edit {
  return { op, target: { aspect_ref: aspect, polarity: null }, value: to, evidence, confidence };
}

/** The most confident stated polarity of an aspect in Stage 1; null when it is missing. */
export function findStage1Polarity(
  context: DebateContext,
  aspect: string,
): { polarity: Polarity; sentiment: Sentiment } | null {
  const own = context.stage1_aspect_sentiments.filter((one) => one.aspect_ref === aspect && one.polarity !== null);
  const best = own.toSorted((a, b) => b.confidence - a.confidence)[0];
  return best?.polarity ? { polarity: best.polarity, sentiment: best } : null;
}

/** What an edit stands on: the words of a reading, and how sure it is. */
export function groundIn(text: string, view: AspectView, reading: Reading): Evidence {
  return { evidence: quoteEvidence(text, view, reading), confidence: round(reading.confidence) };
}

/** The stretch from the aspect to the opinions of a reading; without any, the aspect itself. */
export function quoteEvidence(text: string, view: AspectView, reading: Reading): string | null {
  const span = reading.opinions.length > 0 ? reading.evidence : view.spans[0];
  const words = span ? text.slice(span.start, span.end).trim() : "";
  return words === "" ? null : words;
}

export function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
