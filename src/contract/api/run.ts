import * as z from "zod";
import { BudgetSchema } from "../budget.ts";
import { DebateResultSchema, OutcomeSchema } from "../result.ts";
import { ManifestSchema, RunStatusSchema } from "../run.ts";
import { PositionSchema, StorySchema } from "../story.ts";
import { AttemptSchema, TurnSchema } from "../turn.ts";
import { SectionSchema } from "./section.ts";

/** A run's id: never a path, never a pattern. */
export const RunIdSchema = z.string().regex(/^[0-9a-hjkmnp-tv-z]{7}-[0-9a-hjkmnp-tv-z]{6}$/, "not a run's id");

/** A whole number in a query string. */
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

/** A run that was taken up; it goes on in the server. */
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
export type RunQuery = z.input<typeof RunQuerySchema>;

/** A run in a list. */
export const RunItemSchema = z.strictObject({
  id: RunIdSchema,
  pack: z.string(),
  /** What it is about, on one line. */
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
  /** Runs of this page that can no longer be read. */
  damaged: z.array(z.string()),
});
export type RunPage = z.infer<typeof RunPageSchema>;

/** A turn without its heavy text: prompt and raw replies are fetched on demand. */
export const TurnItemSchema = TurnSchema.omit({ attempts: true }).extend({
  id: z.string(),
  attempts: z.array(AttemptSchema.omit({ raw: true })),
});
export type TurnItem = z.infer<typeof TurnItemSchema>;

/** A turn with everything that was sent and came back. */
export const TurnDetailSchema = TurnSchema.extend({ id: z.string(), prompt: z.array(z.string()) });
export type TurnDetail = z.infer<typeof TurnDetailSchema>;

/** A run with what it was started with, its turns and its end. */
export const RunDetailSchema = z.strictObject({
  run: RunItemSchema,
  manifest: ManifestSchema,
  result: DebateResultSchema.nullable(),
  /** What a reader acts on. */
  headline: z.record(z.string(), z.string()),
  /** What the pack shows of it; empty until it has ended. */
  sections: z.array(SectionSchema),
  turns: z.array(TurnItemSchema),
  /** The debate as the pack tells it; what it leaves out is in `turns`. */
  story: StorySchema,
  /** Who stood where, round by round. */
  positions: z.array(PositionSchema),
  elapsedMs: z.number().nullable(),
  /** The last journal entry that this answer takes into account: events are followed from here. */
  seq: z.int(),
  /** True when the verdict is kept back until a reviewer has answered. */
  withheld: z.boolean(),
});
export type RunDetail = z.infer<typeof RunDetailSchema>;

export const exportFormats = ["json", "md", "html"] as const;
export const ExportQuerySchema = z.strictObject({ format: z.enum(exportFormats).default("json") });
