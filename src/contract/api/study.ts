import * as z from "zod";
import { addresses } from "./addresses.ts";
import { BudgetSchema } from "../budget.ts";
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
  cancelStudy: {
    ...addresses.cancelStudy,
    summary: "Stops a study that this server runs; what is done is kept.",
    access: "operator",
    params: studyParams,
    body: NothingSchema,
    reply: { json: DoneSchema },
  },
} as const satisfies Record<string, Route>;
