import * as z from "zod";
import { WorstCaseSchema } from "../../contract/budget.ts";
import { OutcomeSchema } from "../../contract/result.ts";
import { UsageSchema } from "../../contract/usage.ts";

/** Which run of a study: the arm, the case and the seed. */
export const JobKeySchema = z.strictObject({ arm: z.string(), case_id: z.string(), seed: z.int() });
export type JobKey = z.infer<typeof JobKeySchema>;

/** Where a role stood, and whether that was right; `correct` is null without gold. */
export const JudgedPositionSchema = z.strictObject({
  round: z.int(),
  role: z.string(),
  item: z.string().nullable(),
  answer: z.string(),
  correct: z.boolean().nullable(),
});
export type JudgedPosition = z.infer<typeof JudgedPositionSchema>;

/**
 * What a run of a study cost: `usage` of its finished turns, `spend` of all its calls (absent in studies of an earlier version);
 * `calls_saved` are turns taken from another arm instead of being asked again.
 */
export const CostSchema = z.strictObject({
  usage: UsageSchema,
  spend: WorstCaseSchema.optional(),
  calls_saved: z.int(),
  wall_ms: z.number(),
});

/** One line of `scorecards.jsonl`: how a run did against gold, with all that the report is made of. */
export const ScorecardSchema = z.strictObject({
  ...JobKeySchema.shape,
  run_id: z.string().nullable(),
  outcome: OutcomeSchema,
  /** Null when there is no decision to score. */
  scores: z.record(z.string(), z.number().nullable()).nullable(),
  /** The primary metric, 0 without a decision; null without gold, or where it does not apply. */
  primary: z.number().nullable(),
  /** Whether the primary metric is 1; null where there is none. */
  right: z.boolean().nullable(),
  confidence: z.number().nullable(),
  graded: z.array(z.strictObject({ confidence: z.number(), correct: z.boolean() })),
  tally: z.record(z.string(), z.number()),
  positions: z.array(JudgedPositionSchema),
  strata: z.record(z.string(), z.string()),
  cost: CostSchema,
  /** Samples of a self-consistency run. */
  samples: z.int().nullable(),
});
export type Scorecard = z.infer<typeof ScorecardSchema>;

/** One line of `results.jsonl`: what a run came to. */
export const ResultRowSchema = z.strictObject({
  ...JobKeySchema.shape,
  run_id: z.string().nullable(),
  outcome: OutcomeSchema,
  reasons: z.array(z.string()),
  decision: z.unknown(),
  quorum: z.unknown(),
  cost: CostSchema,
  samples: z.int().nullable(),
  /** What broke, when the run could not be carried through. */
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
});
export type ResultRow = z.infer<typeof ResultRowSchema>;
