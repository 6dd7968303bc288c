/** Schemas of the rules' results (sentiment spec §5 to §8). */
import * as z from "zod";
import { LabelSchema, SettledDebateSchema, StrikeSchema, TupleSchema } from "./debate.ts";
import { AspectSchema, LanguageCodeSchema, PolaritySchema, SentimentSchema, SpanSchema } from "./stage1.ts";
import { ReviewContextSchema } from "./stage2.ts";

const CorrectionSchema = z.strictObject({
  proposal_type: z.string(),
  target_aspect: z.string(),
  asked_by: z.string(),
  rationale: z.string(),
  applied: z.boolean(),
  reason: z.string(),
  resulting_polarity: PolaritySchema.nullable(),
  resulting_term: z.string().nullable(),
});
export type Correction = z.infer<typeof CorrectionSchema>;

/** Why the gate leaves an aspect alone; the first in this order stands for the text (sentiment spec §7). */
export const skipReasons = [
  "l3_conservative",
  "action_ambiguity",
  "implicit_soft_only",
  "contradictory_memory",
  "low_confidence",
  "no_evidence_span",
  "evidence_span_not_in_text",
  "evidence_span_missing_trigger",
  "one_sided",
  "low_signal",
  "neutral_only",
  "shared_reading",
  "already_confident",
  "max_one_override_per_sample",
] as const;
const SkipReasonSchema = z.enum(skipReasons);
export type SkipReason = z.infer<typeof SkipReasonSchema>;

const share = z.number().min(0).max(1);
const weight = z.number().nonnegative();

/** The thresholds of the override gate (sentiment spec §6). */
export const ThresholdsSchema = z.strictObject({
  min_total: weight.default(1.6),
  min_margin: weight.default(0.8),
  min_target_conf: share.default(0.7),
  ev_threshold: share.default(0.5),
  l3_conservative: z.boolean().default(true),
});
export type Thresholds = z.infer<typeof ThresholdsSchema>;

const overrideActions = ["debate_override_add", "debate_override_flip", "debate_override_confidence"] as const;

const GateRecordSchema = z.strictObject({
  text_id: z.string(),
  aspect: z.string(),
  valid_hint_count: z.int(),
  invalid_hint_count: z.int(),
  pos_score: z.number(),
  neg_score: z.number(),
  total: z.number(),
  margin: z.number(),
  target_pol: PolaritySchema.nullable(),
  current_pol: PolaritySchema.nullable(),
  current_conf: z.number().nullable(),
  l3_types: z.array(z.string()),
  thresholds: ThresholdsSchema,
  decision: z.enum(["APPLY", "SKIP"]),
  skip_reason: SkipReasonSchema.nullable(),
  override_action: z.enum(overrideActions).nullable(),
  evidence: z.string().nullable(),
});
export type GateRecord = z.infer<typeof GateRecordSchema>;

/** Why a judge's tuple was accepted or refused, or a Stage 1 tuple kept (sentiment spec §6a). */
const SettlementSchema = z.strictObject({
  aspect: z.string(),
  judge: z.string().nullable(),
  stage1: PolaritySchema.nullable(),
  settled: PolaritySchema.nullable(),
  reason: z.string(),
});
export type Settlement = z.infer<typeof SettlementSchema>;

const AdoptReasonSchema = z.enum([
  "risk_resolved",
  "debate_action",
  "grounding_improved",
  "ev_below_threshold",
  "conflict_blocked",
  ...skipReasons,
]);
export type AdoptReason = z.infer<typeof AdoptReasonSchema>;

const EvComponentsSchema = z.strictObject({
  debate_support: z.number().nullable(),
  validator_resolved: z.number().nullable(),
  grounding_improvement: z.number().nullable(),
  alignment_improvement: z.number(),
});
export type EvComponents = z.infer<typeof EvComponentsSchema>;

const count = z.int().nonnegative();

const SentenceAggregateSchema = z.strictObject({ label: LabelSchema, confidence: share, rationale: z.string() });
export type SentenceAggregate = z.infer<typeof SentenceAggregateSchema>;

const AspectAggregateSchema = z.strictObject({
  target: z.string().nullable(),
  label: PolaritySchema,
  confidence: share,
  span: SpanSchema.nullable(),
  rationale: z.string(),
});
export type AspectAggregate = z.infer<typeof AspectAggregateSchema>;

const ValidatorAggregateSchema = z.strictObject({
  suggested_label: PolaritySchema.nullable(),
  issues: z.array(z.string()),
  confidence: share,
  structural_risk_count: count,
});

const moderatorRules = ["RuleZ", "RuleB", "RuleM", "RuleC", "RuleA", "RuleD", "RuleE", "Bound"] as const;

const ModerationSchema = z.strictObject({
  final_label: LabelSchema,
  confidence: share,
  rationale: z.string(),
  selected_stage: z.enum(["stage1", "stage2"]),
  applied_rules: z.array(z.enum(moderatorRules)),
  arbiter_flags: z.strictObject({
    stage2_rejected_due_to_confidence: z.boolean(),
    validator_override_applied: z.boolean(),
    confidence_margin_used: z.number().nullable(),
  }),
});
export type Moderation = z.infer<typeof ModerationSchema>;

const PlaceSchema = z.strictObject({ start: z.int(), end: z.int() }).nullable();

const FinalAspectSchema = z.strictObject({
  ...SentimentSchema.shape,
  polarity: PolaritySchema,
  span: PlaceSchema,
  source_span: PlaceSchema,
});
export type FinalAspect = z.infer<typeof FinalAspectSchema>;

const MetaSchema = z.strictObject({
  text_id: z.string(),
  text: z.string(),
  language_code: LanguageCodeSchema,
  config_hash: z.string(),
  protocol: z.string(),
  neutral_policy: z.enum(["explicit", "mention"]),
  gate_decision: z.enum(["APPLY", "SKIP"]),
  adopt_decision: z.enum(["adopted", "not_adopted"]),
  adopt_reason: AdoptReasonSchema,
  override_candidate: z.boolean(),
  override_skipped_reason: SkipReasonSchema.nullable(),
  override_evidence_gate_reason: SkipReasonSchema.nullable(),
  debate_override_stats: z.looseObject({
    applied: count,
    skipped_low_signal: count,
    skipped_conflict: count,
    skipped_already_confident: count,
    ev_score: z.number(),
    ev_adopted: z.boolean(),
    ev_components: EvComponentsSchema,
  }),
  debate_override_skip_reasons: z.record(z.string(), count),
  ev_score: z.number(),
  ev_threshold: z.number(),
  ev_components: EvComponentsSchema,
  input_problems: z.record(z.string(), z.int()),
});

export const FinalOutputSchema = z.strictObject({
  meta: MetaSchema,
  stage1_aspects: z.array(AspectSchema),
  stage1_ate: SentenceAggregateSchema,
  stage1_atsa: AspectAggregateSchema,
  stage1_validator: ValidatorAggregateSchema,
  stage2_ate: SentenceAggregateSchema.nullable(),
  stage2_atsa: AspectAggregateSchema.nullable(),
  stage2_validator: ValidatorAggregateSchema.nullable(),
  moderator: ModerationSchema,
  debate: SettledDebateSchema.nullable(),
  settlements: z.array(SettlementSchema),
  review_context: ReviewContextSchema.nullable(),
  override_gate: z.array(GateRecordSchema),
  correction_applied_log: z.array(CorrectionSchema),
  strikes: z.array(StrikeSchema),
  doubts: z.array(z.string()),
  process_trace: z.array(z.strictObject({ stage: z.string(), agent: z.string(), output: z.unknown() })),
  final_result: z.strictObject({
    label: LabelSchema,
    confidence: share,
    rationale: z.string(),
    final_aspects: z.array(FinalAspectSchema),
    mentions: z.array(z.string()),
    stage1_tuples: z.array(TupleSchema),
    stage2_tuples: z.array(TupleSchema),
    final_tuples: z.array(TupleSchema),
  }),
});
export type FinalOutput = z.infer<typeof FinalOutputSchema>;
