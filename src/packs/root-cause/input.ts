import * as z from "zod";
import { IncidentSchema } from "./knowledge/incident.ts";
import { ParsedLogSchema } from "./logs/parsed-log.ts";

/** A case: a ParsedLog (root-cause §2), and the project's own past incidents beside those that ship with the product. */
export const RootCauseInputSchema = z.strictObject({
  ...ParsedLogSchema.shape,
  incidents: z.array(IncidentSchema).default([]),
});
export type RootCauseInput = z.infer<typeof RootCauseInputSchema>;
