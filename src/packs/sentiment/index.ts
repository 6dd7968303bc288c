/** `parley/sentiment`: the pack, its rules as pure functions, its measures and its schemas. */
export { sentiment } from "./pack.ts";
export { type SentimentConfig, SentimentConfigSchema } from "./config/config.ts";
export { type SentimentCase, SentimentCaseSchema } from "./sentiment-case.ts";
export { type FinalOutput, FinalOutputSchema } from "./schemas/final-output.ts";

export { decide, type RecordedCase } from "./decide/decide.ts";
export { decideCase } from "./decide/decide-case.ts";
export { canonicalPolarity } from "./canonical-polarity.ts";
export { buildReviewContext } from "./review/review-context.ts";
export { applyReviews } from "./review/apply-reviews.ts";
export { overrideGate } from "./gate/override-gate.ts";
export { settleSummary } from "./settle/settle-summary.ts";
export { adopt, evReason } from "./adopt/adopt.ts";
export { moderate } from "./moderate/moderate.ts";
export { aspectMatcher } from "./text/aspect-matcher.ts";
export { detectLanguage, languageOf } from "./text/detect-language.ts";

export { sentimentArtifacts } from "./artifacts/artifacts.ts";
export { verifyCounts, verifyOutput } from "./verify/verify.ts";
export { tupleAgreement } from "./measure/agreement.ts";
export { matchTuples } from "./measure/match-tuples.ts";
export { measureOutputs } from "./measure/measure-outputs.ts";
