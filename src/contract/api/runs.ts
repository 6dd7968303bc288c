import * as z from "zod";
import { BudgetSchema } from "../budget.ts";
import { DebateResultSchema, OutcomeSchema } from "../result.ts";
import { ManifestSchema, RunStatusSchema } from "../run.ts";
import { PositionSchema, StorySchema } from "../story.ts";
import { AttemptSchema, TurnSchema } from "../turn.ts";
import type { Section } from "../view.ts";

/** A section over the wire; the `Section` type describes each kind. */
export const SectionSchema = z.looseObject({ kind: z.string(), title: z.string() }) as unknown as z.ZodType<Section>;

/** A run's id: never a path, never a pattern. */
export const RunIdSchema = z.string().regex(/^[0-9a-hjkmnp-tv-z]{7}-[0-9a-hjkmnp-tv-z]{6}$/, "not a run's id");

const CountSchema = z.coerce.number().int();

/** A request to start a run. `text` makes a case of plain text, instead of `input`. */
export const StartRunSchema = z.strictObject({
  pack: z.string().min(1),
  input: z.unknown().optional(),
  text: z.string().min(1).optional(),
  config: z.record(z.string(), z.unknown()).optional(),
  cast: z.string().min(1).optional(),
  budget: BudgetSchema.optional(),
  seed: z.int().optional(),
  caseId: z.string().min(1).max(200).optional(),
});
export type StartRun = z.infer<typeof StartRunSchema>;

export const StartedSchema = z.strictObject({ id: RunIdSchema });
export type Started = z.infer<typeof StartedSchema>;

/** Filters for listing runs, newest first; `after` is the last id of the previous page. */
export const RunQuerySchema = z.strictObject({
  pack: z.string().min(1).optional(),
  status: RunStatusSchema.optional(),
  outcome: OutcomeSchema.optional(),
  batch: z.string().min(1).optional(),
  case: z.string().min(1).optional(),
  from: z.iso.datetime({ offset: true }).optional().describe("made at this time or later"),
  to: z.iso.datetime({ offset: true }).optional().describe("made before this time"),
  text: z.string().min(1).max(400).optional().describe("words of the case, the replies or the decision"),
  after: RunIdSchema.optional(),
  limit: CountSchema.min(1).max(200).default(50),
});

export const RunItemSchema = z.strictObject({
  id: RunIdSchema,
  pack: z.string(),
  subject: z.string(),
  caseId: z.string().nullable(),
  batch: z.string().nullable(),
  cast: z.string(),
  seed: z.int(),
  status: RunStatusSchema,
  outcome: OutcomeSchema.nullable(),
  createdAt: z.string(),
  live: z.boolean(),
  parent: z.strictObject({ run: z.string(), from: z.string() }).nullable(),
});
export type RunItem = z.infer<typeof RunItemSchema>;

/** A page of runs. `total` is counted up to a limit; `exact` is false when it was reached. */
export const RunPageSchema = z.strictObject({
  runs: z.array(RunItemSchema),
  next: RunIdSchema.nullable(),
  total: z.strictObject({ count: z.int(), exact: z.boolean() }),
  damaged: z.array(z.string()),
});
export type RunPage = z.infer<typeof RunPageSchema>;

/** A turn without its heavy text: prompt and raw replies are fetched on demand. */
const TurnItemSchema = TurnSchema.omit({ attempts: true }).extend({
  id: z.string(),
  attempts: z.array(AttemptSchema.omit({ raw: true })),
});
export type TurnItem = z.infer<typeof TurnItemSchema>;

export const TurnDetailSchema = TurnSchema.extend({ id: z.string(), prompt: z.array(z.string()) });

export const RunDetailSchema = z.strictObject({
  run: RunItemSchema,
  manifest: ManifestSchema,
  result: DebateResultSchema.nullable(),
  headline: z.record(z.string(), z.string()),
  sections: z.array(SectionSchema),
  turns: z.array(TurnItemSchema),
  /** Written by the pack; turns it omits are only in `turns`. */
  story: StorySchema,
  positions: z.array(PositionSchema),
  elapsedMs: z.number().nullable(),
  /** The last journal entry included here; follow events after it. */
  seq: z.int(),
  /** True while the decision is hidden until a reviewer has answered. */
  withheld: z.boolean(),
});
export type RunDetail = z.infer<typeof RunDetailSchema>;

export const exportFormats = ["json", "md", "html"] as const;
export const ExportQuerySchema = z.strictObject({ format: z.enum(exportFormats).default("json") });

const SettingsSchema = z.array(z.string().max(2_000)).max(100);

export const ResumeSchema = z.strictObject({ budget: BudgetSchema.optional() });
export const BranchSchema = z.strictObject({
  from: z.string().min(1).max(200),
  cast: z.string().min(1).optional(),
  set: SettingsSchema.default([]),
  seed: z.int().optional(),
});
export const RedecideSchema = z.strictObject({ set: SettingsSchema.default([]) });

/** One difference between two values; a missing side was absent. */
const DifferenceSchema = z.strictObject({
  path: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
const FlipSchema = z.strictObject({ name: z.string(), before: z.string(), after: z.string() });
const RuleChangeSchema = z.strictObject({
  rule: z.string(),
  round: z.int(),
  /** Distinguishes this use of the rule from others in the run (an aspect, a round); empty when it is the only one. */
  about: z.string(),
  change: z.enum(["changed", "new", "gone"]),
  differences: z.array(DifferenceSchema),
});

/** The result of other settings over the same turns; nothing is called or stored. */
export const RedecidedSchema = z.strictObject({
  run: RunIdSchema,
  config: z.array(DifferenceSchema),
  outcome: z.strictObject({ before: z.string(), after: z.string() }),
  headline: z.array(FlipSchema),
  decision: z.array(DifferenceSchema),
  rules: z.array(RuleChangeSchema),
  settled: z.boolean(),
  /** Where a branch with these settings starts: the first turn that would no longer be asked, else the last; null without turns. */
  from: z.string().nullable(),
  result: DebateResultSchema,
  sections: z.array(SectionSchema),
});
export type Redecided = z.infer<typeof RedecidedSchema>;

const LeverSchema = z.strictObject({
  setting: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  flips: z.array(FlipSchema),
});

/** `decisive` are turns without which the decision would differ, `flips` how. */
export const WhySchema = z.strictObject({
  run: RunIdSchema,
  decisive: z.array(z.string()),
  flips: z.record(z.string(), z.array(FlipSchema)),
  levers: z.array(LeverSchema),
  sections: z.array(SectionSchema),
});
export type WhyReply = z.infer<typeof WhySchema>;

export const CompareQuerySchema = z.strictObject({ a: RunIdSchema, b: RunIdSchema });

export const ComparisonSchema = z.strictObject({
  a: RunItemSchema,
  b: RunItemSchema,
  same: z.boolean(),
  sections: z.array(SectionSchema),
});
export type Comparison = z.infer<typeof ComparisonSchema>;

/**
 * An event of a run. Those with `seq`, the number of a journal entry and the event's id, are durable and named after its
 * kind, and `turn` is an attempt that ended its turn. What was said is read from the run.
 */
export const StreamEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.enum(["begin", "material", "review", "erased", "end"]), seq: z.int() }),
  z.strictObject({ type: z.enum(["call", "attempt", "turn"]), seq: z.int(), turn: z.string() }),
  z.strictObject({ type: z.literal("turn_started"), turn: z.string(), player: z.string() }),
  z.strictObject({ type: z.literal("text"), turn: z.string(), text: z.string() }),
  z.strictObject({
    type: z.literal("status"),
    status: RunStatusSchema,
    outcome: OutcomeSchema.nullable(),
    live: z.boolean(),
    message: z.string().nullable(),
  }),
  z.strictObject({ type: z.literal("closing"), message: z.string() }),
]);
export type StreamEvent = z.infer<typeof StreamEventSchema>;

/** Roles by rising rights: readers look, reviewers also answer and contest, operators may do everything. */
export const accessRoles = ["reader", "reviewer", "operator"] as const;
export type AccessRole = (typeof accessRoles)[number];

export type Route = {
  method: "get" | "post";
  path: `/api/${string}`;
  access: AccessRole;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** A successful reply: JSON, events, or a file. */
  reply: { json: z.ZodType } | { events: z.ZodType } | { file: readonly string[] };
  status?: 200 | 202;
};

export const runParams = z.strictObject({ id: RunIdSchema });

export const NothingSchema = z.strictObject({});
export const DoneSchema = z.strictObject({ done: z.literal(true) });

export const turnParams = z.strictObject({ id: RunIdSchema, turn: z.string().min(1).max(300) });
