import type { ReviewContext } from "../schemas/stage2.ts";
import type { SkipReason } from "../schemas/outcome.ts";
import { ownValue } from "../text/own-value.ts";

/** The evidence span of an aspect and what is wrong with it, if anything. */
export type GateEvidence = { span: string | null; ok: boolean; reason: SkipReason | null };

/** Judges the evidence behind an aspect (gate steps 3 to 5, spec section 6). */
export function gateEvidence(text: string, aspect: string, context: ReviewContext): GateEvidence {
  const span = evidenceSpan(text, aspect, context);
  if (span === null) return { span, ok: false, reason: "no_evidence_span" };
  if (!text.includes(span)) return { span, ok: false, reason: "evidence_span_not_in_text" };
  if (span.length < 2) return { span, ok: false, reason: "evidence_span_missing_trigger" };
  return { span, ok: true, reason: null };
}

/** The span given for the aspect, else the first of the sentence; one that is not in the text gives way to one that is. */
function evidenceSpan(text: string, aspect: string, context: ReviewContext): string | null {
  const { summary } = context;
  if (summary === null) return null;
  if (!("final_tuples" in summary)) return quotedEvidence(text, aspect, context);
  const given = [ownValue(summary.aspect_evidence, aspect) ?? "", ...summary.sentence_evidence_spans];
  const spans = given.map((span) => span.trim()).filter((span) => span !== "");
  return spans.find((span) => text.includes(span)) ?? spans[0] ?? null;
}

/** The stance style has no evidence fields: the speakers' key points, or quotes in them, that are words of the text. */
function quotedEvidence(text: string, aspect: string, context: ReviewContext): string | null {
  const points = context.rebuttal_points.filter((point) => point.aspect_refs.includes(aspect));
  const quotes = points.flatMap((point) => point.key_points.flatMap(quotesOf));
  return quotes.find((quote) => quote.length >= 2 && text.includes(quote)) ?? null;
}

function quotesOf(point: string): string[] {
  const inner = [...point.matchAll(/["“‘'「『«]([^"”’'」』»]+)["”’'」』»]/g)].map((match) => match[1] ?? "");
  return [point, ...inner].map((quote) => quote.trim()).filter((quote) => quote !== "");
}
