import * as z from "zod";
import { IncidentSchema, KnowledgeSchema } from "../../knowledge/incidents/index.ts";
import { ParsedLogSchema } from "../../knowledge/logs/index.ts";

const { templates, totals } = ParsedLogSchema.shape;
const noTotals = {
  files: 0,
  bytes: 0,
  lines: 0,
  blank_lines: 0,
  continuation_lines: 0,
  events: 0,
  outside_window: 0,
  events_by_level: {},
  kept_events: 0,
  left_out_events: 0,
  left_out_by_level: {},
  templates: 0,
  left_out_templates: 0,
  left_out_entities: 0,
  left_out_errors: 0,
};

/**
 * A case: a parsed log (root-cause spec §2), and the project's own past incidents beside those that ship with the product.
 * What past incidents say may be given ready-made; templates and totals are counted from the events when they are not given.
 */
export const RootCauseCaseSchema = z.strictObject({
  ...ParsedLogSchema.shape,
  templates: templates.default([]),
  totals: totals.prefault(noTotals),
  incidents: z.array(IncidentSchema).default([]),
  ...KnowledgeSchema.omit({ incidents: true }).partial().shape,
});
export type RootCauseCase = z.infer<typeof RootCauseCaseSchema>;
