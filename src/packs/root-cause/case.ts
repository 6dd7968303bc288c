import * as z from "zod";
import { HistorySchema, IncidentSchema } from "../../contract/incident.ts";
import { ParsedLogSchema } from "../../contract/parsed-log.ts";

const { events, templates, totals, ...rest } = ParsedLogSchema.shape;
const counts = Object.fromEntries(
  Object.entries(totals.shape).map(([key, schema]) => [
    key,
    schema instanceof z.ZodRecord ? {} : key.endsWith("timestamp") ? null : 0,
  ]),
) as z.infer<typeof totals>;

/**
 * A case (root-cause spec §2): raw log lines or a parsed log, and the project's own past incidents. Matches with past
 * incidents may be given; missing templates and totals are counted from the events.
 */
export const RootCauseCaseSchema = z.preprocess(
  (given) => (typeof given === "string" ? { lines: given.replace(/\r?\n$/, "").split(/\r?\n/) } : given),
  z
    .strictObject({
      ...rest,
      lines: z.array(z.string()).optional(),
      name: z.string().optional(),
      events: events.default([]),
      templates: templates.default([]),
      totals: totals.prefault(counts),
      incidents: z.array(IncidentSchema).default([]),
      ...HistorySchema.omit({ incidents: true }).partial().shape,
    })
    .refine(
      ({ lines, events: read }) => lines !== undefined || read.length > 0,
      "give the events of a parsed log, or lines of text",
    ),
);
export type RootCauseCase = z.infer<typeof RootCauseCaseSchema>;
