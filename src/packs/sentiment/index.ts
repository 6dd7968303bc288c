import "../../contract/require-node.ts";
/** `parley/sentiment`: the pack, its rules as pure functions, its measures and its schemas. */
export { sentiment } from "./pack.ts";
export { datasets } from "./datasets.ts";
export { type SentimentCase, SentimentCaseSchema } from "./case.ts";
export { type SentimentConfig, SentimentConfigSchema } from "./config.ts";
export { defaultOrder, defaultPersonas } from "./config/personas.ts";
export { profiles } from "./config/profiles.ts";
export { decideCase, type FinalOutput, FinalOutputSchema } from "./decision.ts";
export { decide, type RecordedCase } from "./decide.ts";

export type { Aspect, CorrectionProposal, Polarity, Sentiment, Stage1, StructuralRisk } from "./schemas/stage1.ts";
export type {
  Edit,
  Patch,
  PatchJudgeReply,
  PatchSummary,
  PatchTurn,
  StanceSummary,
  StanceTurn,
} from "./schemas/debate.ts";
export { type Persona as DebatePersona, PersonaSchema as DebatePersonaSchema } from "./schemas/debate.ts";
export {
  type DebateOutput,
  DebateOutputSchema,
  type DebateSummary,
  DebateSummarySchema,
  type DebateTurn,
  DebateTurnSchema,
  noMemory,
  type PatchDebate,
  silentJudge,
  type StanceDebate,
} from "./schemas/debate-output.ts";
export type { AspectReview, Hint, ReviewContext, SentimentReview, Stage2 } from "./schemas/stage2.ts";
export { type Episode, EpisodeSchema } from "./schemas/memory.ts";
export { detectLanguage, type LanguageCode, languageOf } from "../../knowledge/opinions/index.ts";

export { canonicalisePolarity } from "./rules/tuples/canonical-polarity.ts";
export { createAspectMatcher, createStage1Matcher, listStage1Terms } from "./rules/tuples/aspect-matcher.ts";
export { buildReviewContext, toDebateContext } from "./rules/review/review-context.ts";
export { type Doubt, findDoubts } from "./rules/review/find-doubts.ts";
export { applyReviews } from "./rules/apply/apply-reviews.ts";
export { type GateInput, overrideGate } from "./rules/gate/override-gate.ts";
export { settleSummary } from "./rules/settle/settle-summary.ts";
export { adopt, mapRefusal } from "./rules/adopt/adopt.ts";
export { moderate } from "./rules/moderate/moderate.ts";
export { storeEpisode } from "./rules/memory/store-episode.ts";
export { groundPatchSummary } from "./roles/debate/ground-patch-summary.ts";
export { groundPatchTurn } from "./roles/debate/ground-patch-turn.ts";
export { createExperts, experts } from "./experts/experts.ts";

export { lineFiles, buildArtifacts, toJsonLines } from "./show/artifacts.ts";
export { summariseGate, type GateSample, toGateSample } from "./show/gate-debug.ts";
export { verifyCounts, verifyOutput } from "./show/verify.ts";
export { measureOutputs } from "./measure.ts";
export { measureAgreement } from "./measure/agreement.ts";
export { type SentimentGold, SentimentGoldSchema } from "./measure/gold.ts";
export { computeF1, type Matched, matchTuples, toTermForm } from "./measure/match-tuples.ts";
export { computeRates } from "./measure/rates.ts";
export { tally, classifyTransition } from "./measure/tally.ts";
export { findWarnings } from "./measure/warnings.ts";
