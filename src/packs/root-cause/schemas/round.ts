import * as z from "zod";
import { HypothesisSchema, ReasonerNameSchema } from "./hypothesis.ts";
import { JudgeEvaluationSchema } from "./judgement.ts";

export const TopHypothesisSchema = z.strictObject({
  ...HypothesisSchema.shape,
  source: ReasonerNameSchema,
  judge_score: z.number().nullable(),
});
export type TopHypothesis = z.infer<typeof TopHypothesisSchema>;

const stated = z.array(HypothesisSchema).nullable();

/** One round (root-cause spec §5); an abstention or missing judgement is null. */
export const RoundSchema = z.strictObject({
  round_number: z.int().positive(),
  hypotheses: z.strictObject({ log_focused: stated, kg_focused: stated, hybrid: stated }),
  fewer_reasons: z.partialRecord(ReasonerNameSchema, z.string()).optional(),
  judge_evaluation: JudgeEvaluationSchema.nullable(),
  top_hypothesis: TopHypothesisSchema.nullable(),
});
export type Round = z.infer<typeof RoundSchema>;

export const certainties = ["confirmed", "likely", "inconclusive"] as const;
export type Certainty = (typeof certainties)[number];

export const FinalHypothesisSchema = z.strictObject({
  hypothesis: z.string(),
  confidence: z.number(),
  judge_score: z.number().nullable(),
  source: ReasonerNameSchema,
  reasoning: z.string(),
  evidence: HypothesisSchema.shape.evidence,
  resolution: z.array(z.string()),
  category: HypothesisSchema.shape.category,
  affected_components: z.array(z.string()),
  causal_path: z.array(z.string()),
  rounds_refined: z.int().positive(),
  /**
   * Depends on whether a line states the cause before its effects, a chain leads to it, or neither (root-cause spec
   * §4.5).
   */
  certainty: z.enum(certainties),
  would_tell: z.array(z.string()),
});
export type FinalHypothesis = z.infer<typeof FinalHypothesisSchema>;

/** A separate incident in the same log: unrelated programs and another onset (root-cause spec §4.8). */
export const SeparateIncidentSchema = z.strictObject({
  programs: z.array(z.string()),
  began: z.number().nullable(),
  ...HypothesisSchema.pick({
    hypothesis: true,
    category: true,
    affected_components: true,
    confidence: true,
    evidence: true,
    causal_path: true,
    suggested_resolution: true,
  }).shape,
  judge_score: z.number(),
  source: ReasonerNameSchema,
});
export type SeparateIncident = z.infer<typeof SeparateIncidentSchema>;

export const stopReasons = ["plateau", "consensus", "max_rounds", "quorum", "no_debate"] as const;

/** The record of the rounds (root-cause spec §5): the decision without its cost. */
export const DebateRecordSchema = z.strictObject({
  rounds: z.array(RoundSchema),
  final_hypothesis: FinalHypothesisSchema.nullable(),
  /** Only when the log holds more than one incident. */
  separate_incidents: z.array(SeparateIncidentSchema).optional(),
  /** Cautions for the reader: points the judge took back, evidence that was struck. */
  caveats: z.array(z.string()),
  convergence_achieved: z.boolean(),
  stop_reason: z.enum(stopReasons),
  total_rounds: z.int().nonnegative(),
  improvement_trajectory: z.array(z.number()),
});
export type DebateRecord = z.infer<typeof DebateRecordSchema>;
