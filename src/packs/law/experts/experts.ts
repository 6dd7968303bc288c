import { wordConclusion } from "../rules/answer.ts";
import type { LawExperts } from "../roles/create-roles.ts";
import { answer, answerAlone } from "./author.ts";
import { criticise } from "./critic.ts";

export const experts: LawExperts = { answer, criticise, supervise: wordConclusion, answerAlone };
