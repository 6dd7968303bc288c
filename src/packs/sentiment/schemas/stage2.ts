/** Schemas of the review context and Stage 2 (sentiment spec §4 and §5). */
import * as z from "zod";
import { PatchSummarySchema, StanceSummarySchema } from "./debate.ts";
import { polarities, PolaritySchema, SpanSchema, StructuralRiskSchema } from "./stage1.ts";
import { wireObject, wordOf } from "./wire.ts";

const HintSchema = z.strictObject({
  speaker: z.string(),
  stance: z.string(),
  weight: z.number(),
  polarity_hint: PolaritySchema.nullable(),
  removal: z.boolean(),
  removes: PolaritySchema.nullable(),
  confidence: z.number().nullable(),
  by_program: z.boolean(),
});
export type Hint = z.infer<typeof HintSchema>;

export const mappingFailures = ["no_aspects", "no_match", "neutral_stance", "fallback_used"] as const;

const RebuttalPointSchema = z.strictObject({
  speaker: z.string(),
  stance: z.string(),
  round: z.int(),
  message: z.string(),
  key_points: z.array(z.string()),
  aspect_refs: z.array(z.string()),
  mapping: z.enum(["direct", "fallback", "none"]),
  mapping_fail_reason: z.enum(mappingFailures).nullable(),
  weight: z.number(),
  polarity_hint: PolaritySchema.nullable(),
  provenance_hint: z.string(),
});
export type RebuttalPoint = z.infer<typeof RebuttalPointSchema>;

export const ReviewContextSchema = z.strictObject({
  summary: z.union([PatchSummarySchema, StanceSummarySchema]).nullable(),
  rebuttal_points: z.array(RebuttalPointSchema),
  sides: z.array(z.string()),
  aspect_terms: z.array(z.string()),
  synonym_hints: z.record(z.string(), z.array(z.string())),
  aspect_hints: z.record(z.string(), z.array(HintSchema)),
  invalid_hint_count: z.record(z.string(), z.int()),
  mapping_stats: z.strictObject({ direct: z.int(), fallback: z.int(), none: z.int() }),
  mapping_fail_reasons: z.record(z.enum(mappingFailures), z.int()),
  review_guidance: z.string(),
  fallback_mapping_policy: z.string(),
});
export type ReviewContext = z.infer<typeof ReviewContextSchema>;

export const aspectActions = ["keep", "revise_span", "drop", "add"] as const;

export const AspectReviewSchema = wireObject({
  term: z.string(),
  reason: z.string(),
  action: wordOf(aspectActions),
  revised_span: SpanSchema.nullable(),
});
export type AspectReview = z.infer<typeof AspectReviewSchema>;

export const AteReviewReplySchema = wireObject({ aspect_review: z.array(AspectReviewSchema) });
export type AteReviewReply = z.infer<typeof AteReviewReplySchema>;

export const sentimentActions = ["maintain", "flip_polarity", "drop", "add"] as const;

export const SentimentReviewSchema = wireObject(
  {
    aspect_ref: z.string(),
    evidence: z.string().nullable(),
    reason: z.string(),
    action: wordOf(sentimentActions),
    revised_polarity: wordOf(polarities).nullable(),
  },
  { aspect_term: "aspect_ref" },
);
export type SentimentReview = z.infer<typeof SentimentReviewSchema>;

export const AtsaReviewReplySchema = wireObject({ sentiment_review: z.array(SentimentReviewSchema) });
export type AtsaReviewReply = z.infer<typeof AtsaReviewReplySchema>;

export const FinalValidationSchema = wireObject({
  resolved_risks: z.array(z.string()),
  remaining_risks: z.array(z.string()),
  final_consistency_score: z.number().min(0).max(1),
});

export const ValidatorReviewReplySchema = wireObject({
  /** The remaining risks, so that Stage 2 risk counts are real. */
  structural_risks: z.array(StructuralRiskSchema),
  final_validation: FinalValidationSchema,
});
export type ValidatorReviewReply = z.infer<typeof ValidatorReviewReplySchema>;

/** The reviews; a missing part is null. */
export type Stage2 = {
  aspect_review: AspectReview[];
  sentiment_review: SentimentReview[];
  validator: ValidatorReviewReply | null;
};
