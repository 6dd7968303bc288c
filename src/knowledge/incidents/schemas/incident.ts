import * as z from "zod";
import { entityTypes } from "../../logs/index.ts";

/** What kind of thing went wrong; `none` says that the logs show no fault (root-cause spec §4). */
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

/** Who calls whom, as traces showed or a topology file said. */
export const CallSchema = z.strictObject({ caller: z.string().min(1), callee: z.string().min(1) });
export type Call = z.infer<typeof CallSchema>;

export const incidentSources = ["starter", "import", "learned"] as const;

/**
 * A past incident with a known cause (root-cause spec §3). A link of `chain` whose effect is the type of one of `errors`
 * ends in that error. `context` (cluster, day, service…) is never matched on: it exists to exclude incidents by it.
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
  category: CategorySchema,
  chain: z.array(CausalLinkSchema).default([]),
  calls: z.array(CallSchema).optional(),
  resolution: z.array(z.string().min(1)).default([]),
  confidence: ratio.default(0.7),
  source: z.enum(incidentSources).default("import"),
  context: z.record(z.string(), z.string()).default({}),
});
export type Incident = z.infer<typeof IncidentSchema>;
