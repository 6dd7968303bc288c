/** What the rules decided, on the wire (sentiment spec §5 to §8). */
import * as z from "zod";
import { LabelSchema } from "./debate.ts";
import { PolaritySchema, SpanSchema } from "./stage1.ts";

/** One change that was applied or refused; `applied` is true only when something changed. */
export const CorrectionSchema = z.strictObject({
  proposal_type: z.string(),
  target_aspect: z.string(),
  rationale: z.string(),
  applied: z.boolean(),
  reason: z.string(),
  resulting_polarity: PolaritySchema.nullable(),
  /** The words an aspect is shown under after REVISE_SPAN; outputs of earlier versions do not say. */
  resulting_term: z.string().nullable().default(null),
  provenance: z.string().nullable(),
});
export type Correction = z.infer<typeof CorrectionSchema>;

export const skipReasons = [
  "max_one_override_per_sample",
  "neutral_only",
  "no_evidence_span",
  "evidence_span_not_in_text",
  "evidence_span_missing_trigger",
  "low_signal",
  "action_ambiguity",
  "l3_conservative",
  "implicit_soft_only",
  "contradictory_memory",
  "low_confidence",
  "already_confident",
] as const;
export const SkipReasonSchema = z.enum(skipReasons);
export type SkipReason = z.infer<typeof SkipReasonSchema>;

const ThresholdsSchema = z.strictObject({
  min_total: z.number(),
  min_margin: z.number(),
  min_target_conf: z.number(),
  ev_threshold: z.number(),
  l3_conservative: z.boolean(),
});

/** The gate's decision on one aspect, with every number behind it (a line of override_gate_debug.jsonl). */
export const GateRecordSchema = z.strictObject({
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
  is_implicit: z.boolean(),
  l3_flag: z.boolean(),
  l3_types: z.array(z.string()),
  thresholds: ThresholdsSchema,
  decision: z.enum(["APPLY", "SKIP"]),
  skip_reason: SkipReasonSchema.nullable(),
  override_action: z.enum(["debate_override_add", "debate_override_flip"]).nullable(),
  evidence: z.string().nullable(),
  evidence_ok: z.boolean(),
  evidence_reason: z.string().nullable(),
});
export type GateRecord = z.infer<typeof GateRecordSchema>;

export const ConflictReasonsSchema = z.strictObject({
  action_ambiguity: z.int(),
  L3_conservative: z.int(),
  implicit_soft_only: z.int(),
  contradictory_memory: z.int(),
  low_confidence: z.int(),
});
export type ConflictReasons = z.infer<typeof ConflictReasonsSchema>;

/** Why a tuple of the judge was accepted or refused, or a Stage 1 tuple kept (sentiment spec §6a). */
export const SettlementSchema = z.strictObject({
  aspect: z.string(),
  judge: z.string().nullable(),
  stage1: PolaritySchema.nullable(),
  settled: PolaritySchema.nullable(),
  reason: z.string(),
});
export type Settlement = z.infer<typeof SettlementSchema>;

export const adoptReasons = [
  "risk_resolved",
  "debate_action",
  "grounding_improved",
  "ev_below_threshold",
  "conflict_blocked",
  ...skipReasons,
] as const;
export const AdoptReasonSchema = z.enum(adoptReasons);
export type AdoptReason = z.infer<typeof AdoptReasonSchema>;

/** The parts of the EV score; null where a part does not apply. */
export const EvComponentsSchema = z.strictObject({
  debate_support: z.number().nullable(),
  validator_resolved: z.number().nullable(),
  grounding_improvement: z.number().nullable(),
  alignment_improvement: z.number(),
});
export type EvComponents = z.infer<typeof EvComponentsSchema>;

/** How often each counter of the gate fired in this sample. */
export const GateCountsSchema = z.strictObject({
  applied: z.int(),
  skipped_max_one_override_per_sample: z.int(),
  skipped_neutral_only: z.int(),
  skipped_low_signal: z.int(),
  skipped_no_evidence_span: z.int(),
  skipped_evidence_span_not_in_text: z.int(),
  skipped_evidence_span_missing_trigger: z.int(),
  skipped_conflict: z.int(),
  skipped_already_confident: z.int(),
});
export type GateCounts = z.infer<typeof GateCountsSchema>;

/** The counters, and what the EV gate made of the sample; outputs of earlier versions have the counters alone. */
export const OverrideStatsSchema = GateCountsSchema.extend({
  ev_score: z.number().default(0),
  ev_adopted: z.boolean().default(false),
  ev_components: EvComponentsSchema.default({
    debate_support: null,
    validator_resolved: null,
    grounding_improvement: null,
    alignment_improvement: 0,
  }),
});
export type OverrideStats = z.infer<typeof OverrideStatsSchema>;

export const AdoptionSchema = z.strictObject({
  adopted: z.boolean(),
  candidate: z.boolean(),
  reason: AdoptReasonSchema,
  ev_score: z.number(),
  ev_components: EvComponentsSchema,
});
export type Adoption = z.infer<typeof AdoptionSchema>;

export const SentenceAggregateSchema = z.strictObject({
  label: LabelSchema,
  confidence: z.number().min(0).max(1),
  rationale: z.string(),
});
export type SentenceAggregate = z.infer<typeof SentenceAggregateSchema>;

export const AspectAggregateSchema = z.strictObject({
  target: z.string().nullable(),
  label: PolaritySchema,
  confidence: z.number().min(0).max(1),
  span: SpanSchema.nullable(),
  rationale: z.string(),
});
export type AspectAggregate = z.infer<typeof AspectAggregateSchema>;

export const ValidatorAggregateSchema = z.strictObject({
  suggested_label: PolaritySchema.nullable(),
  issues: z.array(z.string()),
  confidence: z.number().min(0).max(1),
  structural_risk_count: z.int(),
});
export type ValidatorAggregate = z.infer<typeof ValidatorAggregateSchema>;

export const moderatorRules = ["RuleZ", "RuleB", "RuleM", "RuleC", "RuleA", "RuleD", "RuleE"] as const;

export const ModerationSchema = z.strictObject({
  final_label: LabelSchema,
  confidence: z.number().min(0).max(1),
  rationale: z.string(),
  decision_reason: z.string(),
  selected_stage: z.enum(["stage1", "stage2"]),
  applied_rules: z.array(z.enum(moderatorRules)),
  arbiter_flags: z.strictObject({
    stage2_rejected_due_to_confidence: z.boolean(),
    validator_override_applied: z.boolean(),
    confidence_margin_used: z.number().nullable(),
  }),
  rule_e_fired: z.boolean(),
  rule_e_block_reason: z.enum(["label_unchanged", "confidence_too_high", "inferred_empty"]).nullable(),
});
export type Moderation = z.infer<typeof ModerationSchema>;
