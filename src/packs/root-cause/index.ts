import "../../contract/require-node.ts";
export {
  type Analysis,
  analyse,
  buildGraph,
  type Category,
  type Incident,
  IncidentSchema,
  type Knowledge,
  type KnowledgeGraph,
  readStarterIncidents,
  retrieve,
} from "../../knowledge/incidents/index.ts";
export * from "../../knowledge/logs/index.ts";
export { type RootCauseCase, RootCauseCaseSchema } from "./case.ts";
export { type RootCauseConfig, RootCauseConfigSchema } from "./config.ts";
export { type RootCauseDecision, RootCauseDecisionSchema } from "./decision.ts";
export { measureMacroF1 } from "./measure.ts";
export { createRootCausePack, rootCause } from "./pack.ts";
export type { RootCauseExperts } from "./roles/role-inputs.ts";
export { pickFinal as selectBestHypothesis } from "./rules/final.ts";
export { stopAfter as checkConvergence } from "./rules/stop.ts";
export { type Evidence, type Hypothesis, HypothesisSchema } from "./schemas/hypothesis.ts";
