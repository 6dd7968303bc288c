import type { ReviewContext } from "../../schemas/stage2.ts";
import type { SkipReason } from "../../schemas/outcome.ts";
import { pickOwn } from "../tuples/pick-own.ts";

/** The evidence span of an aspect and what is wrong with it, if anything. */
export type GateEvidence = { span: string | null; ok: boolean; reason: SkipReason | null };

/** Judges the evidence behind an aspect (gate steps 3 to 5, sentiment spec §6). */
export function checkEvidence(text: string, aspect: string, context: ReviewContext): GateEvidence {
  const span = findEvidenceSpan(text, aspect, context);
  if (span === null) return { span, ok: false, reason: "no_evidence_span" };
  if (!text.includes(span)) return { span, ok: false, reason: "evidence_span_not_in_text" };
  if (span.length < 2) return { span, ok: false, reason: "evidence_span_missing_trigger" };
  return { span, ok: true, reason: null };
}

/** The span given for the aspect, else the first of the sentence; one that is not in the text gives way to one that is. */
function findEvidenceSpan(text: string, aspect: string, context: ReviewContext): string | null {
  const { summary } = context;
  if (summary === null) return null;
  if (!("final_tuples" in summary)) return findQuotedEvidence(text, aspect, context);
  const given = [pickOwn(summary.aspect_evidence, aspect) ?? "", ...summary.sentence_evidence_spans];
  const spans = given.map((span) => span.trim()).filter((span) => span !== "");
  return spans.find((span) => text.includes(span)) ?? spans[0] ?? null;
}

/** The stance style has no evidence fields: the speakers' key points, or quotes in them, that are words of the text. */
function findQuotedEvidence(text: string, aspect: string, context: ReviewContext): string | null {
  const points = context.rebuttal_points.filter((point) => point.aspect_refs.includes(aspect));
  const quotes = points.flatMap((point) => point.key_points.flatMap(listQuotes));
  return quotes.find((quote) => quote.length >= 2 && text.includes(quote)) ?? null;
}

function listQuotes(point: string): string[] {
  const inner = [...point.matchAll(/["“‘'「『«]([^"”’'」』»]+)["”’'」』»]/g)].map((match) => match[1] ?? "");
  return [point, ...inner].map((quote) => quote.trim()).filter((quote) => quote !== "");
}
