/** What logs and past incidents say about a fault: log → findings and suspects; log → similar incidents. */
export { type Analysis, analyse } from "./analysis/analyse.ts";
export type { Suspect } from "./analysis/rank-suspects.ts";
export { type Strands, splitStrands } from "./analysis/split-strands.ts";
export type { NoFault } from "./analysis/weigh-no-fault.ts";
export { type CallGraph, createCallGraph, recallCalls, weighByCalls } from "./clues/call-graph.ts";
export { findBadCalls } from "./findings/find-bad-calls.ts";
export { findHost } from "./clues/find-host.ts";
export { findMedianGap, type Hop, listHops, listTraces, type Step } from "./clues/list-traces.ts";
export { matchSigns } from "./clues/match-signs.ts";
export { isSteady, measureNovelty, type Novelty } from "./clues/measure-novelty.ts";
export { findTellingLine, isFrame, rateTelling } from "./compare/telling-line.ts";
export { weighOrder } from "./clues/weigh-order.ts";
export { createPlaces, type Places } from "./clues/create-places.ts";
export { type CitedLine, combineStrengths, type Finding } from "./clues/finding.ts";
export { extractWords } from "./compare/extract-words.ts";
export { buildGraph, type KnowledgeGraph } from "./graph/build-graph.ts";
export { importIncidents } from "./library/import-incidents.ts";
export { type ConfirmedCause, learnIncident } from "./library/learn-incident.ts";
export {
  incidentsFileOf,
  mergeIncidents,
  printIncidents,
  readProjectIncidents,
} from "./library/project-incidents.ts";
export { readStarterIncidents } from "./library/read-starter-incidents.ts";
export { drawSvg } from "./picture/draw-svg.ts";
export { layOutIncident } from "./picture/lay-out-incident.ts";
export { layOutOverview } from "./picture/lay-out-overview.ts";
export { categories, type Category, CategorySchema, type Incident, IncidentSchema } from "./schemas/incident.ts";
export type { SimilarIncident } from "./similar/find-similar-incidents.ts";
export { type Knowledge, KnowledgeSchema, retrieve } from "./similar/retrieve.ts";
export { defaultRetrieval, type RetrievalOptions } from "./similar/select-incidents.ts";
export { isAtHome, type Match, weighMatch } from "./similar/weigh-match.ts";
