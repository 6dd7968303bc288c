import * as z from "zod";
import { entityTypes } from "./parsed-log.ts";

/** The kind of fault; `none` means that the logs show none (root-cause spec §4). */
export const categories = ["hardware", "software", "network", "config", "resource", "none"] as const;
export const CategorySchema = z.enum(categories);
export type Category = z.infer<typeof CategorySchema>;

const ratio = z.number().min(0).max(1);

export const CausalLinkSchema = z.strictObject({
  cause: z.string().min(1),
  effect: z.string().min(1),
  confidence: ratio,
  delay_seconds: z.number().nonnegative(),
});
export type CausalLink = z.infer<typeof CausalLinkSchema>;

export const incidentSources = ["starter", "import", "learned"] as const;

/**
 * A past incident with a known cause (root-cause spec §3). A link of `chain` whose effect is the type of one of
 * `errors` ends in that error. `context` (cluster, day, service…) is never matched on, only used to exclude
 * incidents.
 */
export const IncidentSchema = z.strictObject({
  id: z.string().regex(/^[\w.:-]+$/, "letters, digits, dot, colon, dash and underscore only"),
  title: z.string().min(1),
  system: z.string().min(1).default("unknown"),
  symptoms: z.array(z.string().min(1)).default([]),
  templates: z.array(z.string().min(1)).default([]),
  errors: z.array(z.strictObject({ type: z.string().min(1), message: z.string().default("") })).default([]),
  entities: z.array(z.strictObject({ type: z.enum(entityTypes), name: z.string().min(1) })).default([]),
  cause: z.string().min(1),
  /** Templates of the messages that proved the cause: a log without any of them does not have it. */
  proof: z.array(z.string().min(1)).default([]),
  category: CategorySchema,
  chain: z.array(CausalLinkSchema).default([]),
  resolution: z.array(z.string().min(1)).default([]),
  confidence: ratio.default(0.7),
  source: z.enum(incidentSources).default("import"),
  context: z.record(z.string(), z.string()).default({}),
});
export type Incident = z.infer<typeof IncidentSchema>;

export const SimilarIncidentSchema = z.strictObject({
  incident_id: z.string(),
  title: z.string().default(""),
  system: z.string().default("unknown"),
  similarity: ratio,
  covered: ratio.default(0),
  /** Similarity of the closest incident with another cause: a match not clearly above it says little. */
  next_cause: ratio.default(0),
  /** True when the cause's component, or the line that proved it, is seen in this log. */
  proven: z.boolean().default(false),
  source: z.enum(incidentSources).default("import"),
  category: CategorySchema,
  cause: z.string(),
  confidence: z.number().default(0.7),
  symptoms: z.array(z.string()).default([]),
  resolution: z.array(z.string()).default([]),
  matched: z
    .strictObject({
      events: z.array(z.string()).default([]),
      errors: z
        .array(z.strictObject({ error_type: z.string(), message: z.string(), line: z.int().positive() }))
        .default([]),
      entities: z.array(z.string()).default([]),
    })
    .prefault({}),
});
export type SimilarIncident = z.infer<typeof SimilarIncidentSchema>;

export const CausalPathSchema = z.strictObject({
  steps: z.array(z.string()).min(2),
  hops: z.int().min(1).max(5).default(1),
  confidence: ratio.default(0.5),
  delay_seconds: z.number().nonnegative().default(0),
  incident_ids: z.array(z.string()).default([]),
  error_type: z.string().default(""),
  line: z.int().positive().default(1),
});
export type CausalPath = z.infer<typeof CausalPathSchema>;

export const PatternSchema = z.strictObject({
  pattern: z.array(z.string()).min(2),
  frequency: z.int().min(2),
  lines: z.array(z.int().positive()).default([]),
  incident_ids: z.array(z.string()).default([]),
});
export type Pattern = z.infer<typeof PatternSchema>;

export const HistorySchema = z.strictObject({
  incidents: z.int().nonnegative(),
  similar_incidents: z.array(SimilarIncidentSchema),
  causal_paths: z.array(CausalPathSchema),
  entity_context: z.record(
    z.string(),
    z.array(z.strictObject({ incident_id: z.string(), category: z.string(), cause: z.string() })),
  ),
  patterns: z.array(PatternSchema),
});
export type History = z.infer<typeof HistorySchema>;
