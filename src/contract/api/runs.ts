import * as z from "zod";
import { BudgetSchema } from "../budget.ts";
import { DebateResultSchema, NoteSchema, OutcomeSchema } from "../result.ts";
import { ManifestSchema, RunStatusSchema } from "../run.ts";
import { PositionSchema, StorySchema } from "../story.ts";
import { AttemptSchema, TurnKeySchema, TurnSchema } from "../turn.ts";
import type { Section } from "../view.ts";

/** A section over the wire: what belongs to its kind is said by the `Section` type. */
export const SectionSchema = z.looseObject({ kind: z.string(), title: z.string() }) as unknown as z.ZodType<Section>;

/** A run's id: never a path, never a pattern. */
export const RunIdSchema = z.string().regex(/^[0-9a-hjkmnp-tv-z]{7}-[0-9a-hjkmnp-tv-z]{6}$/, "not a run's id");

const CountSchema = z.coerce.number().int();

/** What a run is started with. `text` is a case made of plain text, instead of `input`. */
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

/** Which runs to list, newest first; `after` is the id that the page before ended with. */
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
  /** True while this server plays it, or has it in its queue. */
  live: z.boolean(),
  parent: z.strictObject({ run: z.string(), from: z.string() }).nullable(),
});
export type RunItem = z.infer<typeof RunItemSchema>;

/** A page of runs. `total` counts up to a bound; `exact` says whether it was reached. */
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
  /** The debate as the pack tells it; what it leaves out is in `turns`. */
  story: StorySchema,
  positions: z.array(PositionSchema),
  elapsedMs: z.number().nullable(),
  /** The last journal entry that this answer takes into account: events are followed from here. */
  seq: z.int(),
  /** True when the verdict is hidden until a reviewer has answered. */
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

/** One place in which two values differ; a value that is left out was not there. */
const DifferenceSchema = z.strictObject({
  path: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
});
const FlipSchema = z.strictObject({ name: z.string(), before: z.string(), after: z.string() });
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
      headline: z.string(),
      shared: z.int(),
      own: z.int(),
      usd: z.number().nullable(),
    }),
  ),
});
export type BranchNode = z.infer<typeof BranchesSchema>["nodes"][number];

/** What a decision depends on; `decisive` are the turns without which it would be another, `flips` what it would be. */
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

/** What is durable: each comes with the number of its journal entry, as `seq` and as the event's id. */
const DurableEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("begun"), seq: z.int() }),
  z.strictObject({ type: z.literal("prepared"), seq: z.int(), hash: z.string() }),
  z.strictObject({ type: z.literal("call"), seq: z.int(), key: TurnKeySchema, attempt: z.int() }),
  z.strictObject({ type: z.literal("attempt"), seq: z.int(), key: TurnKeySchema, attempt: z.int() }),
  z.strictObject({ type: z.literal("turn"), seq: z.int(), turn: TurnItemSchema }),
  z.strictObject({
    type: z.literal("review"),
    seq: z.int(),
    verdict: z.enum(["upheld", "replaced"]),
    ruling: z.string(),
    reviewer: z.string(),
    at: z.string(),
  }),
  z.strictObject({ type: z.literal("erased"), seq: z.int(), at: z.string() }),
  z.strictObject({ type: z.literal("ended"), seq: z.int(), result: DebateResultSchema.nullable() }),
]);
export type DurableEvent = z.infer<typeof DurableEventSchema>;

/** What passes: it has no id and does not come again. */
const PassingEventSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("round_started"), round: z.int() }),
  z.strictObject({ type: z.literal("turn_started"), key: TurnKeySchema, player: z.string() }),
  z.strictObject({ type: z.literal("text"), key: TurnKeySchema, text: z.string() }),
  z.strictObject({ type: z.literal("note"), note: NoteSchema }),
  z.strictObject({
    type: z.literal("status"),
    status: RunStatusSchema,
    outcome: OutcomeSchema.nullable(),
    live: z.boolean(),
    message: z.string().nullable(),
  }),
  /** This follower was too slow and is let go; it can come back with its last id. */
  z.strictObject({ type: z.literal("dropped"), message: z.string() }),
  z.strictObject({ type: z.literal("closing"), message: z.string() }),
]);
export type PassingEvent = z.infer<typeof PassingEventSchema>;

export const StreamEventSchema = z.union([DurableEventSchema, PassingEventSchema]);
export type StreamEvent = DurableEvent | PassingEvent;

/** Who may call a route, from the least: readers look, reviewers also answer and contest, operators may do everything. */
export const accessRoles = ["reader", "reviewer", "operator"] as const;
export type AccessRole = (typeof accessRoles)[number];

export type Route = {
  method: "get" | "post";
  path: `/api/${string}`;
  access: AccessRole;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** What a success brings: JSON of this shape, events of this shape, or a file. */
  reply: { json: z.ZodType } | { events: z.ZodType } | { file: readonly string[] };
  status?: 200 | 202;
};

export const runParams = z.strictObject({ id: RunIdSchema });

export const NothingSchema = z.strictObject({});
export const DoneSchema = z.strictObject({ done: z.literal(true) });

export const turnParams = z.strictObject({ id: RunIdSchema, turn: z.string().min(1).max(300) });
