import * as z from "zod";
import { WorstCaseSchema, BudgetSchema, UsageSchema } from "../../contract/budget.ts";
import { OutcomeSchema } from "../../contract/result.ts";
import { hashValue } from "../../engine/hash.ts";
import type { AnyPack, Measure } from "../../engine/pack.ts";
import { isRecord } from "../../text/json.ts";

export const JobKeySchema = z.strictObject({ arm: z.string(), case_id: z.string(), seed: z.int() });
export type JobKey = z.infer<typeof JobKeySchema>;

/** A role's position and whether it was right; `correct` is null without gold. */
export const JudgedPositionSchema = z.strictObject({
  round: z.int(),
  role: z.string(),
  item: z.string().nullable(),
  answer: z.string(),
  correct: z.boolean().nullable(),
});
export type JudgedPosition = z.infer<typeof JudgedPositionSchema>;

/** `usage` of finished turns, `spend` of all calls; `calls_saved` counts turns reused from another arm. */
export const CostSchema = z.strictObject({
  usage: UsageSchema,
  spend: WorstCaseSchema,
  calls_saved: z.int(),
});

/** One line of `results.jsonl`: a run's result and score, with everything the report needs. */
export const ScorecardSchema = z.strictObject({
  ...JobKeySchema.shape,
  run_id: z.string().nullable(),
  outcome: OutcomeSchema,
  reasons: z.array(z.string()),
  decision: z.unknown(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** Why the run is not counted; null when it ended by its own rules. */
  failure: z.enum(["failed", "out of budget", "unreadable"]).nullable(),
  scores: z.record(z.string(), z.number().nullable()).nullable(),
  /** The primary metric, 0 without a decision; null without gold, after a failure, or where it does not apply. */
  primary: z.number().nullable(),
  right: z.boolean().nullable(),
  confidence: z.number().nullable(),
  tally: z.record(z.string(), z.number()),
  positions: z.array(JudgedPositionSchema),
  cost: CostSchema,
  samples: z.int().nullable(),
});
export type Scorecard = z.infer<typeof ScorecardSchema>;

export const ArmKindSchema = z.enum(["reference", "control", "arm"]);

export const PlannedArmSchema = z.strictObject({
  name: z.string(),
  kind: ArmKindSchema,
  about: z.string().nullable(),
  settings: z.record(z.string(), z.unknown()),
  config_hash: z.string(),
  cast: z.string(),
  redecide: z.string().nullable(),
});
export type PlannedArm = z.infer<typeof PlannedArmSchema>;

/** `manifest.json`: versions and hashes of everything a study ran, so that a result can be traced and repeated. */
export const StudyManifestSchema = z.strictObject({
  version: z.literal(1),
  study: z.string(),
  /** The batch name of the study's runs in the store. */
  batch: z.string(),
  about: z.string().nullable(),
  pack: z.string(),
  code: z.strictObject({ parley: z.string(), commit: z.string().nullable() }),
  study_hash: z.string(),
  prompt_hashes: z.record(z.string(), z.string()),
  dataset: z.strictObject({
    path: z.string(),
    hash: z.string(),
    cases: z.int(),
    with_gold: z.int(),
    notes: z.array(z.string()),
    made_up: z.boolean(),
  }),
  arms: z.array(PlannedArmSchema).min(1),
  left_out: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
  models: z.array(z.string()),
  seeds: z.array(z.int()),
  primary: z.string(),
  budget: BudgetSchema,
  run_budget: BudgetSchema,
  notes: z.array(z.string()),
  started_at: z.string(),
});
export type StudyManifest = z.infer<typeof StudyManifestSchema>;

export function measureOf(pack: AnyPack): Measure<unknown, unknown> {
  return pack.measure ?? plainMeasure;
}

const plainMeasure: Measure<unknown, unknown> = {
  gold: z.unknown(),
  primary: "same as gold",
  score: (decision, gold) => ({ "same as gold": hasAll(decision, gold) ? 1 : 0 }),
};

/** True when a value contains everything in gold: objects may have more keys, everything else is equal. */
function hasAll(value: unknown, gold: unknown): boolean {
  if (!isRecord(gold)) return hashValue(value ?? null) === hashValue(gold ?? null);
  return isRecord(value) && Object.entries(gold).every(([key, wanted]) => hasAll(value[key], wanted));
}
