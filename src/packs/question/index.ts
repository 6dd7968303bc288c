export { canonicalAnswer, isRight } from "./answer.ts";
export { type Question, QuestionSchema } from "./case.ts";
export { type QuestionConfig, QuestionConfigSchema } from "./config.ts";
export { decide } from "./decide.ts";
export { type QuestionDecision, QuestionDecisionSchema } from "./decision.ts";
export { question } from "./pack.ts";
export { agreement, tally } from "./tally.ts";
