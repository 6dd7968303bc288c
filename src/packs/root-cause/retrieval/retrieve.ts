import * as z from "zod";
import type { KnowledgeConfig } from "../config.ts";
import { buildChains } from "../knowledge/graph.ts";
import type { Incident } from "../knowledge/incident.ts";
import { starterIncidents } from "../knowledge/starter.ts";
import type { ParsedLog } from "../logs/parsed-log.ts";
import { CausalPathSchema, causalPaths } from "./causal-paths.ts";
import { EntityContextSchema, entityContext } from "./entity-context.ts";
import { admissible } from "./exclude.ts";
import { matcherOf } from "./matcher.ts";
import { PatternSchema, patterns } from "./patterns.ts";
import { queryOf } from "./query.ts";
import { SimilarIncidentSchema, similarIncidents } from "./similar.ts";

/** What the knowledge graph has to say about a log (root-cause §3). */
export const KnowledgeSchema = z.strictObject({
  incidents: z.int().nonnegative(),
  similar_incidents: z.array(SimilarIncidentSchema),
  causal_paths: z.array(CausalPathSchema),
  entity_context: EntityContextSchema,
  patterns: z.array(PatternSchema),
});
export type Knowledge = z.infer<typeof KnowledgeSchema>;

/** Asks the starter incidents and the project's own about a log; excluded incidents and hidden words play no part. */
export function retrieve(log: ParsedLog, own: readonly Incident[], config: KnowledgeConfig): Knowledge {
  const incidents = admissible([...(config.starter ? starterIncidents() : []), ...own], config);
  const query = queryOf(log, config.hide);
  const matcher = matcherOf(incidents, config.hide);
  return {
    incidents: incidents.length,
    similar_incidents: similarIncidents(incidents, query, matcher).slice(0, config.similar),
    causal_paths: causalPaths(buildChains(incidents), query, matcher).slice(0, config.paths),
    entity_context: entityContext(incidents, query),
    patterns: patterns(log, matcher, config.hide).slice(0, config.patterns),
  };
}
