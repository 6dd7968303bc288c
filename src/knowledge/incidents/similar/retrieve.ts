import * as z from "zod";
import { buildCausalGraph } from "../graph/build-graph.ts";
import type { Incident } from "../schemas/incident.ts";
import { readStarterIncidents } from "../library/read-starter-incidents.ts";
import type { ParsedLog } from "../../logs/index.ts";
import { CausalPathSchema, findCausalPaths } from "./find-causal-paths.ts";
import { EntityContextSchema, gatherEntityContext } from "./gather-entity-context.ts";
import { defaultRetrieval, type RetrievalOptions, selectIncidents } from "./select-incidents.ts";
import { createMatcher, type Matcher } from "../compare/create-matcher.ts";
import { PatternSchema, findPatterns } from "./find-patterns.ts";
import { buildQuery } from "../compare/build-query.ts";
import { SimilarIncidentSchema, findSimilarIncidents } from "./find-similar-incidents.ts";

/** What the knowledge graph has to say about a log (root-cause spec §3.2). */
export const KnowledgeSchema = z.strictObject({
  incidents: z.int().nonnegative(),
  similar_incidents: z.array(SimilarIncidentSchema),
  causal_paths: z.array(CausalPathSchema),
  entity_context: EntityContextSchema,
  patterns: z.array(PatternSchema),
});
export type Knowledge = z.infer<typeof KnowledgeSchema>;

/** Asks the starter incidents and the project's own about a log; excluded incidents and hidden words play no part. */
export function retrieve(
  log: ParsedLog,
  own: readonly Incident[],
  settings: Partial<RetrievalOptions> = {},
): Knowledge {
  const options = { ...defaultRetrieval, ...settings };
  const { incidents, matcher, graph } = openLibrary(own, options);
  const query = buildQuery(log, options.hide);
  return {
    incidents: incidents.length,
    similar_incidents: findSimilarIncidents(incidents, query, matcher).slice(0, options.similar),
    causal_paths: findCausalPaths(graph, query, matcher).slice(0, options.paths),
    entity_context: gatherEntityContext(incidents, query),
    patterns: findPatterns(log, matcher, options.hide).slice(0, options.patterns),
  };
}

type Library = { incidents: Incident[]; matcher: Matcher; graph: ReturnType<typeof buildCausalGraph> };
let last: { key: string; library: Library } | null = null;

/** The incidents ready to be asked. The last ones stay so: who decides a run again asks the same ones, many times. */
function openLibrary(own: readonly Incident[], options: RetrievalOptions): Library {
  const { starter, exclude_ids, exclude_context, hide } = options;
  const key = JSON.stringify([own, starter, exclude_ids, exclude_context, hide]);
  if (last?.key === key) return last.library;
  const incidents = selectIncidents([...(starter ? readStarterIncidents() : []), ...own], options);
  const library = { incidents, matcher: createMatcher(incidents, hide), graph: buildCausalGraph(incidents) };
  last = { key, library };
  return library;
}
