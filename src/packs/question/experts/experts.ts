import type { QuestionExperts } from "../roles/role-inputs.ts";
import { compareByRules } from "./compare.ts";
import { judgeByQuotes } from "./judge.ts";
import { speakFromDocuments } from "./speaker.ts";

/** The programs that play every role from the documents alone. */
export const experts: QuestionExperts = { speak: speakFromDocuments, judge: judgeByQuotes, compare: compareByRules };
