import type { QuestionConfig } from "./config.ts";
import type { QuestionDecision, Round } from "./decision.ts";
import type { Question } from "./question.ts";
import type { Judgement } from "./reply.ts";

/** What was said, and what the judge said of it; a protocol that chooses says why it stopped and how many it asked. */
export type Said = {
  question: Question;
  config: QuestionConfig;
  rounds: Round[];
  judgement: Judgement | null;
  stop?: QuestionDecision["stop_reason"];
  asked?: number;
};
