import * as z from "zod";
import { IncidentSchema } from "../../knowledge/incidents/index.ts";
import { ParsedLogSchema } from "../../knowledge/logs/index.ts";

/** A case: a parsed log (root-cause spec §2), and the project's own past incidents beside those that ship with the product. */
export const RootCauseCaseSchema = z.strictObject({
  ...ParsedLogSchema.shape,
  incidents: z.array(IncidentSchema).default([]),
});
export type RootCauseCase = z.infer<typeof RootCauseCaseSchema>;
