import * as z from "zod";
import { BudgetSchema } from "../budget.ts";
import { DebateResultSchema, OutcomeSchema } from "../result.ts";
import { RunStatusSchema } from "../run.ts";
import { RunIdSchema, RunItemSchema } from "./run.ts";
import { SectionSchema } from "./section.ts";

/** Settings to change, each `key=value` as on the command line. */
const SettingsSchema = z.array(z.string().max(2_000)).max(100);

export const ResumeSchema = z.strictObject({ budget: BudgetSchema.optional() });
export const BranchSchema = z.strictObject({
  from: z.string().min(1).max(200),
  cast: z.string().min(1).optional(),
  set: SettingsSchema.default([]),
  seed: z.int().optional(),
});
export const RedecideSchema = z.strictObject({ set: SettingsSchema.default([]) });

/** One place in which two values differ; a value that is left out was not there. */
export const DifferenceSchema = z.strictObject({
  path: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
export const FlipSchema = z.strictObject({ name: z.string(), before: z.string(), after: z.string() });
const RuleChangeSchema = z.strictObject({
  rule: z.string(),
  round: z.int(),
  about: z.string(),
  change: z.enum(["changed", "new", "gone"]),
  differences: z.array(DifferenceSchema),
});

/** What other settings would have led to, over the same turns; nothing is called or stored. */
export const RedecidedSchema = z.strictObject({
  run: RunIdSchema,
  config: z.array(DifferenceSchema),
  outcome: z.strictObject({ before: z.string(), after: z.string() }),
  headline: z.array(FlipSchema),
  decision: z.array(DifferenceSchema),
  rules: z.array(RuleChangeSchema),
  settled: z.boolean(),
  /** Where a branch with these settings begins: the first turn that would no longer be asked, else the last; null without turns. */
  from: z.string().nullable(),
  result: DebateResultSchema,
  sections: z.array(SectionSchema),
});
export type Redecided = z.infer<typeof RedecidedSchema>;

/** A single setting that, changed alone, would make a reader act otherwise. */
const LeverSchema = z.strictObject({
  setting: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  flips: z.array(FlipSchema),
});

/** The tree of a run's branches, oldest first; `complete` is false when not every run could be looked at. */
export const BranchesSchema = z.strictObject({
  complete: z.boolean(),
  nodes: z.array(
    z.strictObject({
      run: z.string(),
      parent: z.strictObject({ run: z.string(), from: z.string() }).nullable(),
      status: RunStatusSchema,
      outcome: OutcomeSchema.nullable(),
      createdAt: z.string(),
      /** What it came to, in a few words. */
      headline: z.string(),
      /** Turns that it has from its parent, and turns of its own. */
      shared: z.int(),
      own: z.int(),
      usd: z.number().nullable(),
    }),
  ),
});
export type BranchNode = z.infer<typeof BranchesSchema>["nodes"][number];

/**
 * What a decision hangs on: each turn, part, score and setting was changed alone over the recorded turns.
 * `decisive` are the turns without which it would be another, `flips` says what each of them would make of it.
 */
export const WhySchema = z.strictObject({
  run: RunIdSchema,
  decisive: z.array(z.string()),
  flips: z.record(z.string(), z.array(FlipSchema)),
  levers: z.array(LeverSchema),
  sections: z.array(SectionSchema),
});
export type WhyReply = z.infer<typeof WhySchema>;

export const CompareQuerySchema = z.strictObject({ a: RunIdSchema, b: RunIdSchema });

/** Two runs of a pack side by side. */
export const ComparisonSchema = z.strictObject({
  a: RunItemSchema,
  b: RunItemSchema,
  same: z.boolean(),
  start: z.array(DifferenceSchema),
  turns: z.array(
    z.strictObject({
      turn: z.string(),
      change: z.enum(["only_in_first", "only_in_second", "prompt", "reply", "status"]),
      prompt: z.string().nullable(),
      reply: z.array(DifferenceSchema),
    }),
  ),
  rules: z.array(RuleChangeSchema),
  headline: z.array(FlipSchema),
  end: z.array(DifferenceSchema),
});
export type Comparison = z.infer<typeof ComparisonSchema>;
