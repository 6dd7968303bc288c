/** `parley/sentiment`: the rules of the sentiment pack as pure functions, and its schemas. */
export { adopt, evReason } from "./adopt/adopt.ts";
export { canonicalPolarity } from "./canonical-polarity.ts";
export { type SentimentConfig, SentimentConfigSchema } from "./config/config.ts";
export { decide, type RecordedCase } from "./decide/decide.ts";
export { decideCase } from "./decide/decide-case.ts";
export { sentiment } from "./pack.ts";
export { overrideGate } from "./gate/override-gate.ts";
export { moderate } from "./moderate/moderate.ts";
export { applyReviews } from "./review/apply-reviews.ts";
export { buildReviewContext } from "./review/review-context.ts";
export { type FinalOutput, FinalOutputSchema } from "./schemas/final-output.ts";
export { settleSummary } from "./settle/settle-summary.ts";
