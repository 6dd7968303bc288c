import "../../contract/require-node.ts";
/** `parley/question`: the pack, its rules as pure functions, its schemas and its personas. */
export { type Question, QuestionSchema } from "./schemas/case.ts";
export {
  defaultPersonas,
  type Persona,
  protocolNames,
  type QuestionConfig,
  QuestionConfigSchema,
} from "./schemas/config.ts";
export { decide } from "./decision.ts";
export { inspectAnswer, stateCertainty } from "./experts/experts.ts";
export { type Fit, scoreSigns } from "./experts/reader.ts";
export { question } from "./pack.ts";
export { prompts } from "./prompts/read-prompts.ts";
export { isRight, normaliseAnswer } from "./rules/answer.ts";
export { compareAnswers, isSameAnswer, type Sameness } from "./rules/same-answer.ts";
export {
  type Judgement,
  JudgementSchema,
  type Material,
  MaterialSchema,
  type QuestionDecision,
  QuestionDecisionSchema,
  type Speech,
  SpeechSchema,
} from "./schemas/debate.ts";
