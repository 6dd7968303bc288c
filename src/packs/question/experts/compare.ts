import type { SameAnswerInput } from "../roles/role-inputs.ts";
import { groupAnswers } from "../rules/group-answers.ts";
import type { SameAnswers } from "../schemas/reply.ts";

/** Tells what rules can tell: answers that they cannot bring together count as different (question spec §7.5). */
export function compareByRules({ question, answers }: SameAnswerInput): SameAnswers {
  const { groups } = groupAnswers(answers, question);
  return {
    reasoning: "Only answers that rules know to say the same are brought together; the others count as different.",
    groups: groups.map((group) => group.map((place) => place + 1)),
  };
}
