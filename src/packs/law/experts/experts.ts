import type { LawExperts } from "../roles/create-roles.ts";
import { answerAlone } from "./answer-alone.ts";
import { criticise } from "./criticise.ts";
import { embedText } from "./embed-text.ts";
import { openAnswer } from "./open-answer.ts";
import { reviseAnswer } from "./revise-answer.ts";
import { supervise } from "./supervise.ts";

/** The programs that play every role of the law pack, in Indonesian and English. */
export const experts: LawExperts = {
  answer: (input) => (input.previous ? reviseAnswer(input, input.previous) : openAnswer(input)),
  criticise,
  supervise,
  answerAlone,
  embedText,
};
