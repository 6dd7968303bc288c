import * as z from "zod";
import { addresses } from "./addresses.ts";
import { BudgetSchema } from "../budget.ts";
import { DifferenceSchema, FlipSchema } from "./other-ways.ts";
import { SectionSchema } from "./section.ts";
import { DoneSchema, NothingSchema, type Route } from "./route.ts";

/** A study's name: the name of a folder of the store, never a path. */
export const StudyNameSchema = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, "not a study's name");

export const StudyItemSchema = z.strictObject({
  name: z.string(),
  pack: z.string(),
  arms: z.array(z.string()),
  cases: z.int(),
  runs: z.int(),
  planned: z.int(),
  /** True while this server runs it. */
  live: z.boolean(),
});
export const StudyListSchema = z.strictObject({
  ran: z.array(StudyItemSchema),
  /** Studies that come with Parley and can be started by name. */
  bundled: z.array(z.strictObject({ name: z.string(), pack: z.string(), about: z.string() })),
});
export type StudyItem = z.infer<typeof StudyItemSchema>;
export type StudyList = z.infer<typeof StudyListSchema>;

export const StudyDetailSchema = z.strictObject({
  study: StudyItemSchema,
  sections: z.array(SectionSchema),
  progress: z
    .strictObject({
      done: z.int(),
      total: z.int(),
      failed: z.int(),
      tokens: z.int(),
      costUsd: z.number().nullable(),
    })
    .nullable(),
  /** Why the last session of this server ended before the study was complete. */
  stopped: z.string().nullable(),
});
export type StudyDetail = z.infer<typeof StudyDetailSchema>;

/** How an arm ended on a case. */
const ArmEndSchema = z.strictObject({
  run: z.string().nullable(),
  outcome: z.string(),
  score: z.number().nullable(),
  right: z.boolean().nullable(),
});

/** Cases whose arms ended differently, with the runs behind them. */
export const FlippedSchema = z.strictObject({
  reference: z.string(),
  cases: z.array(
    z.strictObject({
      case: z.string(),
      seed: z.int(),
      arms: z.array(ArmEndSchema.extend({ arm: z.string() })),
    }),
  ),
});
export type Flipped = z.infer<typeof FlippedSchema>;

const ArmItemSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(["reference", "control", "arm"]),
  about: z.string().nullable(),
  cast: z.string(),
});
const armName = z.string().min(1).max(200);
export const CompareArmsQuerySchema = z.strictObject({ a: armName, b: armName });

/** Two arms of a study as wholes: only what differs. */
export const ArmComparisonSchema = z.strictObject({
  study: z.string(),
  pack: z.string(),
  primary: z.string(),
  a: ArmItemSchema,
  b: ArmItemSchema,
  settings: z.array(DifferenceSchema),
  measures: z.array(z.strictObject({ name: z.string(), before: z.number(), after: z.number() })),
  /** On how many cases both have ended, and on how many of them otherwise. */
  paired: z.int(),
  differing: z.int(),
  /** The first of them, in the order of the study's cases. */
  cases: z.array(
    z.strictObject({
      case: z.string(),
      seed: z.int(),
      a: ArmEndSchema,
      b: ArmEndSchema,
      headline: z.array(FlipSchema),
    }),
  ),
  /** The turns at which debates that ended otherwise part, in as many cases as were looked at. */
  partings: z.strictObject({
    looked: z.int(),
    turns: z.array(z.strictObject({ turn: z.string(), count: z.int() })),
  }),
});
export type ArmComparison = z.infer<typeof ArmComparisonSchema>;

/** Starts a bundled study, or goes on with one that ran here. */
export const StartStudySchema = z.strictObject({
  name: StudyNameSchema,
  limit: z.int().min(1).max(100_000).optional(),
  cast: z.string().min(1).optional(),
  seeds: z.array(z.int().nonnegative()).min(1).max(100).optional(),
  budget: BudgetSchema.optional(),
});
export const StudyStartedSchema = z.strictObject({ name: z.string() });

const studyParams = z.strictObject({ name: StudyNameSchema });

/** The routes of studies. */
export const studyRoutes = {
  listStudies: {
    ...addresses.listStudies,
    summary: "Studies that ran here, and those that come with Parley.",
    access: "reader",
    reply: { json: StudyListSchema },
  },
  startStudy: {
    ...addresses.startStudy,
    summary: "Starts a study, or goes on with it.",
    access: "operator",
    body: StartStudySchema,
    reply: { json: StudyStartedSchema },
    status: 202,
  },
  readStudy: {
    ...addresses.readStudy,
    summary: "A study's summary, and how far it is.",
    access: "reader",
    params: studyParams,
    reply: { json: StudyDetailSchema },
  },
  listFlipped: {
    ...addresses.listFlipped,
    summary: "Cases that some arms got right and others wrong.",
    access: "reader",
    params: studyParams,
    reply: { json: FlippedSchema },
  },
  compareArms: {
    ...addresses.compareArms,
    summary: "Two arms of a study as wholes: settings, measures and cases that differ, and where their debates part.",
    access: "reader",
    params: studyParams,
    query: CompareArmsQuerySchema,
    reply: { json: ArmComparisonSchema },
  },
  cancelStudy: {
    ...addresses.cancelStudy,
    summary: "Stops a study that this server runs; what is done is kept.",
    access: "operator",
    params: studyParams,
    body: NothingSchema,
    reply: { json: DoneSchema },
  },
} as const satisfies Record<string, Route>;
