import "../../contract/require-node.ts";
export { sentiment } from "./pack.ts";
export { type SentimentCase, SentimentCaseSchema } from "./schemas/case.ts";
export { personasOf, type SentimentConfig, SentimentConfigSchema } from "./config/config.ts";
export { decideCase, type FinalOutput, FinalOutputSchema } from "./decision.ts";
export { prepare } from "./prepare.ts";

export * from "./schemas/debate.ts";
export type { CaseTurns, SentimentExperts } from "./schemas/inputs.ts";
export { type Material, MaterialSchema } from "./schemas/material.ts";
export * from "./schemas/stage1.ts";
export * from "./schemas/stage2.ts";

export { toSummary } from "./roles/debate.ts";
export { matchStage1 } from "./rules/matcher.ts";
export { buildReviewContext } from "./rules/review-context.ts";
export { canonicalisePolarity } from "./rules/tuples.ts";
export { createExperts } from "./experts/experts.ts";

export { lineFiles, summariseGate, toJsonLines } from "./show/artifacts.ts";
export { verifyOutput } from "./show/checks.ts";
export * from "./measure.ts";
