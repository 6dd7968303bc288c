import * as z from "zod";
import type { Measure } from "../../engine/pack.ts";
import { findChoice, isRight } from "./rules/answer.ts";
import { AnswerTypeSchema, choicesOf, type Question } from "./schemas/case.ts";
import type { QuestionDecision } from "./schemas/debate.ts";

/** Gold of a question: its answer, other spellings, and the form of an answer. */
export const QuestionGoldSchema = z.strictObject({
  answer: z.union([z.string(), z.number(), z.boolean()]).transform(String),
  aliases: z.array(z.string()).default([]),
  answer_type: AnswerTypeSchema.optional(),
  choices: z.array(z.union([z.string(), z.strictObject({ key: z.string(), text: z.string() })])).optional(),
});
export type QuestionGold = z.infer<typeof QuestionGoldSchema>;

/** Right or wrong against gold; no answer is wrong for accuracy and left out of the risk (question spec §8). */
export const measure: Measure<QuestionDecision, QuestionGold> = {
  gold: QuestionGoldSchema,
  fitGold,
  primary: "correct",
  score: (decision, gold) => ({
    correct: isDecisionRight(decision, gold) ? 1 : 0,
    answered: decision.answer === null ? 0 : 1,
    correct_vote_after_openings:
      decision.vote_after_openings !== null && isRightFor(decision.vote_after_openings, gold) ? 1 : 0,
  }),
  goldOf: ({ answer }) => (answer === null ? null : { answer }),
  confidence: (decision) => (decision.answer === null ? null : decision.confidence),
  positions: (decision) =>
    decision.rounds.flatMap(({ round, speeches }) =>
      speeches.map(({ speaker, answer }) => ({ round, role: speaker, answer: answer ?? "" })),
    ),
  isCorrect: isRightFor,
};

function fitGold(gold: QuestionGold, input: unknown): { gold: QuestionGold } | { problem: string } {
  const { choices } = input as Question;
  if (!choices) return { gold };
  const listed = choicesOf(choices);
  const place = /^\d+$/.test(gold.answer) ? listed[Number(gold.answer)]?.key : undefined;
  const keys = [gold.answer, ...gold.aliases].map((one) => findChoice(one, listed)).filter((key) => key !== null);
  const answer = keys[0] ?? place;
  if (answer !== undefined) return { gold: { ...gold, answer, choices } };
  return { problem: `"${gold.answer}" is none of the choices, so no answer could be right` };
}

function isDecisionRight({ answer, short_answer }: QuestionDecision, gold: QuestionGold): boolean {
  return answer !== null && [answer, short_answer ?? answer].some((one) => isRightFor(one, gold));
}

function isRightFor(answer: string, gold: QuestionGold): boolean {
  return isRight(answer, gold, [gold.answer, ...gold.aliases]);
}
