/** Schemas of Stage 1 (sentiment spec §2): ATE, ATSA and the Validator. */
import * as z from "zod";
import { wireObject, wordOf } from "./wire.ts";

export const polarities = ["positive", "negative", "neutral"] as const;
export const PolaritySchema = z.enum(polarities);
export type Polarity = z.infer<typeof PolaritySchema>;

export const LanguageCodeSchema = z.enum(["ko", "en"]);
export type LanguageCode = z.infer<typeof LanguageCodeSchema>;

/** Normalises a code ("ko-KR" is ko); null if missing or unsupported. */
export function readLanguageCode(code: string | null | undefined): LanguageCode | null {
  const base = code?.trim().toLowerCase().split(/[-_]/)[0];
  return base === "ko" || base === "en" ? base : null;
}

/** A place in the raw text: UTF-16 indices, end exclusive. */
export const SpanSchema = wireObject({ start: z.number(), end: z.number() });
export type Span = z.infer<typeof SpanSchema>;

/** Observations and reasons come first, here and below, because a model writes keys in this order. */
export const AspectSchema = wireObject({
  term: z.string(),
  span: SpanSchema,
  rationale: z.string(),
  normalized: z.string().nullable(),
  syntactic_head: z.string().nullable(),
  confidence: z.number().min(0).max(1),
});
export type Aspect = z.infer<typeof AspectSchema>;

export const AteReplySchema = wireObject({ aspects: z.array(AspectSchema) });
export type AteReply = z.infer<typeof AteReplySchema>;

const groundsShape = {
  /** The Stage 1 term; "" is an implicit aspect. */
  aspect_ref: z.string(),
  opinion_term: wireObject({ term: z.string(), span: SpanSchema }).nullable(),
  evidence: z.string(),
  /** True exactly when the text names no aspect: `aspect_ref` is "". */
  is_implicit: z.boolean(),
};
const surenessShape = {
  polarity_distribution: wireObject({ positive: z.number(), negative: z.number(), neutral: z.number() }).nullable(),
  confidence: z.number().min(0).max(1),
};

export const SentimentReplySchema = wireObject(
  { ...groundsShape, polarity: wordOf(polarities).nullable(), ...surenessShape },
  { aspect_term: "aspect_ref" },
);
export type SentimentReply = z.infer<typeof SentimentReplySchema>;

export const AtsaReplySchema = wireObject({ aspect_sentiments: z.array(SentimentReplySchema) });
export type AtsaReply = z.infer<typeof AtsaReplySchema>;

/** A sentiment as the rules use it; a null polarity is missing, never neutral. */
export const SentimentSchema = z.strictObject({
  ...groundsShape,
  polarity: PolaritySchema.nullable(),
  ...surenessShape,
});
export type Sentiment = z.infer<typeof SentimentSchema>;

export const riskTypes = [
  "NEGATION_SCOPE",
  "CONTRAST_SCOPE",
  "POLARITY_MISMATCH",
  "NEGATION",
  "CONTRAST",
  "IRONY",
  "EVIDENCE_GAP",
  "SPAN_MISMATCH",
  "MISSING_SECOND_ASPECT",
] as const;
export const severities = ["low", "medium", "high"] as const;

export const StructuralRiskSchema = wireObject({
  scope: SpanSchema,
  description: z.string(),
  type: wordOf(riskTypes),
  severity: wordOf(severities),
});
export type StructuralRisk = z.infer<typeof StructuralRiskSchema>;

export const proposalTypes = ["FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN"] as const;

export const CorrectionProposalSchema = wireObject({
  target_aspect: z.string(),
  rationale: z.string(),
  proposal_type: wordOf(proposalTypes),
  revised_span: SpanSchema.nullable(),
});
export type CorrectionProposal = z.infer<typeof CorrectionProposalSchema>;

export const ValidatorReplySchema = wireObject({
  structural_risks: z.array(StructuralRiskSchema),
  correction_proposals: z.array(CorrectionProposalSchema),
  consistency_score: z.number().min(0).max(1),
});
export type ValidatorReply = z.infer<typeof ValidatorReplySchema>;

/** The result of Stage 1; `validator` is null when it was switched off. */
export type Stage1 = { aspects: Aspect[]; aspect_sentiments: Sentiment[]; validator: ValidatorReply | null };
