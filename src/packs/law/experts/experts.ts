import { wordConclusion } from "../rules/answer.ts";
import type { LawExperts } from "../roles/create-roles.ts";
import { answer, answerAlone } from "./author.ts";
import { criticise } from "./critic.ts";

/** The programs that play every role of the law pack, in Indonesian and English. */
export const experts: LawExperts = { answer, criticise, supervise: wordConclusion, answerAlone };
