import "../../contract/require-node.ts";
export {
  type CaseFile,
  type CitedProvision,
  type Contradiction,
  findCitedProvisions,
  type Evidence,
  EvidenceSchema,
  type Explanation,
  explain,
  extractFacts,
  type Fact,
  type Knowledge,
  openCase,
  parseCorpus,
  type Retrieval,
  type RetrievedEvidence,
  type Route,
  type Rule,
  type RuleResult,
  RuleSchema,
  rerank,
  retrieve,
  route,
  runRules,
  loadKnowledge,
  loadRules,
  listTextsToEmbed,
  addItems,
} from "../../knowledge/law/index.ts";
export { type LawInput, LawInputSchema } from "./case.ts";
export { type LawConfig, LawConfigSchema } from "./config.ts";
export { inspectClaim } from "./experts/claims/defects.ts";
export { openAnswer } from "./experts/open-answer.ts";
export { type LawGold, LawGoldSchema, measure } from "./measure.ts";
export { decide, law } from "./pack.ts";
export { readRecorded, type RecordedDebate } from "./recorded/read-recorded.ts";
export { answerChange, type StabilityMetric } from "./rules/answer-change.ts";
export { type Convergence, converged } from "./rules/converged.ts";
export { type CritiqueStatus, critiqueStatus } from "./rules/critique-status.ts";
export { type DebateSummary, summariseDebate } from "./rules/debate-summary.ts";
export { type EscalationCode, escalationReasons, type Reason } from "./rules/escalation-reasons.ts";
export {
  type Agent,
  type AgentOutput,
  AgentOutputSchema,
  type Claim,
  opponentOf,
  type Response,
} from "./schemas/agent-output.ts";
export {
  type Critique,
  type CritiqueMessage,
  CritiqueMessageSchema,
  type CritiqueVerdict,
} from "./schemas/critique-message.ts";
export { type LawDecision, LawDecisionSchema } from "./schemas/decision.ts";
export type { Round } from "./schemas/round.ts";
export { type LawPosition, type Supervision, SupervisionSchema } from "./schemas/supervision.ts";
