/** The pack's decision on the wire (sentiment spec §8). */
import * as z from "zod";
import { LabelSchema, TupleSchema } from "./debate.ts";
import { SettledDebateSchema } from "./debate-output.ts";
import { EpisodeSchema } from "./memory.ts";
import {
  AdoptReasonSchema,
  AspectAggregateSchema,
  ConflictReasonsSchema,
  CorrectionSchema,
  EvComponentsSchema,
  GateRecordSchema,
  ModerationSchema,
  OverrideStatsSchema,
  SentenceAggregateSchema,
  SettlementSchema,
  SkipReasonSchema,
  ValidatorAggregateSchema,
} from "./outcome.ts";
import { AspectSchema, LanguageCodeSchema, PolaritySchema, SentimentSchema } from "./stage1.ts";
import { ReviewContextSchema } from "./stage2.ts";

/** A sentiment of the final list, with the place of its aspect in the text. */
export const FinalAspectSchema = z.strictObject({
  ...SentimentSchema.shape,
  polarity: PolaritySchema,
  span: z.strictObject({ start: z.int(), end: z.int() }).nullable(),
});
export type FinalAspect = z.infer<typeof FinalAspectSchema>;

export const TraceEntrySchema = z.strictObject({ stage: z.string(), agent: z.string(), output: z.unknown() });
export type TraceEntry = z.infer<typeof TraceEntrySchema>;

export const MetaSchema = z.strictObject({
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
  debate_override_stats: OverrideStatsSchema,
  debate_override_skip_reasons: ConflictReasonsSchema,
  ev_score: z.number(),
  ev_threshold: z.number(),
  ev_components: EvComponentsSchema,
  /** What was struck, repaired or could not be used of the turns, by kind. */
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
  moderator: ModerationSchema.nullable(),
  /** The debate; a patch debate carries `settled_tuples` in its summary. */
  debate: SettledDebateSchema.nullable(),
  settlements: z.array(SettlementSchema),
  review_context: ReviewContextSchema.nullable(),
  override_gate: z.array(GateRecordSchema),
  correction_applied_log: z.array(CorrectionSchema),
  process_trace: z.array(TraceEntrySchema),
  analysis_flags: z.strictObject({
    correction_occurred: z.boolean(),
    conflict_resolved: z.boolean(),
    stage2_executed: z.boolean(),
    final_confidence_score: z.number(),
  }),
  /** The episode this case would add to the memory store; null unless memory is on and the case taught something. */
  memory_episode: EpisodeSchema.nullable(),
  final_result: z.strictObject({
    label: LabelSchema,
    confidence: z.number().min(0).max(1),
    rationale: z.string(),
    final_aspects: z.array(FinalAspectSchema),
    mentions: z.array(z.string()),
    stage1_tuples: z.array(TupleSchema),
    stage2_tuples: z.array(TupleSchema),
    final_tuples: z.array(TupleSchema),
  }),
});
export type FinalOutput = z.infer<typeof FinalOutputSchema>;
