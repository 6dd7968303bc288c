import "../../contract/require-node.ts";
/** `parley/question`: the pack, its rules as pure functions, its schemas and its personas. */
export { QuestionSchema } from "./case.ts";
export { QuestionConfigSchema } from "./config.ts";
export { decide } from "./decision.ts";
export { question } from "./pack.ts";
export { prompts } from "./prompts/read-prompts.ts";
export { isRight, normaliseAnswer } from "./rules/answer.ts";
export { compareAnswers, isSameAnswer, type Sameness } from "./rules/same-answer.ts";
export { defaultPersonas } from "./rules/speakers.ts";
export { measureAgreement, tally } from "./rules/tally.ts";
export { type Persona, protocolNames, type QuestionConfig } from "./schemas/config.ts";
export { type QuestionDecision, QuestionDecisionSchema } from "./schemas/decision.ts";
export type { Question } from "./schemas/question.ts";
export { type Judgement, JudgementSchema, type Speech, SpeechSchema } from "./schemas/reply.ts";
