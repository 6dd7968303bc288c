import "../../contract/require-node.ts";
export { type LawConfig, LawConfigSchema } from "./config.ts";
export { type LawGold, LawGoldSchema, measure } from "./measure.ts";
export { law } from "./pack.ts";
export { addItems, buildMaterial, loadKnowledge, parseCorpus, prepare, route } from "./prepare.ts";
export { decide, readRecorded, type RecordedDebate } from "./recorded.ts";
export { answerChange, type Convergence, converged } from "./rules/converged.ts";
export { type CritiqueStatus, critiqueStatus } from "./rules/critique-status.ts";
export { escalationReasons, summariseDebate } from "./rules/debate-summary.ts";
export { concludeDebate } from "./rules/position.ts";
export {
  type DebateSummary,
  type EscalationCode,
  type LawDecision,
  LawDecisionSchema,
  type Reason,
  type Round,
} from "./schemas/decision.ts";
export {
  type LawInput,
  LawInputSchema,
  type Material,
  type MaterialItem,
  MaterialSchema,
  type RouteLabel,
  RouteLabelSchema,
} from "./schemas/material.ts";
export {
  type Agent,
  type AgentOutput,
  AgentOutputSchema,
  type Claim,
  type Critique,
  type CritiqueMessage,
  CritiqueMessageSchema,
  type LawPosition,
  opponentOf,
  type Supervision,
  SupervisionSchema,
} from "./schemas/messages.ts";
