import * as z from "zod";
import { addresses } from "./addresses.ts";
import { SectionSchema } from "./section.ts";
import { type Route } from "./route.ts";

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
});
export const StudyListSchema = z.strictObject({ studies: z.array(StudyItemSchema) });
export type StudyItem = z.infer<typeof StudyItemSchema>;

export const StudyDetailSchema = z.strictObject({ study: StudyItemSchema, sections: z.array(SectionSchema) });

const studyParams = z.strictObject({ name: StudyNameSchema });

/** The routes of studies. */
export const studyRoutes = {
  listStudies: {
    ...addresses.listStudies,
    summary: "Studies that ran here.",
    access: "reader",
    reply: { json: StudyListSchema },
  },
  readStudy: {
    ...addresses.readStudy,
    summary: "A study's summary, and how far it is.",
    access: "reader",
    params: studyParams,
    reply: { json: StudyDetailSchema },
  },
} as const satisfies Record<string, Route>;
