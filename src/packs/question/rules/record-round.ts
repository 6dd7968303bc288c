import type { Round } from "../schemas/decision.ts";
import type { Question } from "../schemas/question.ts";
import type { Speech } from "../schemas/reply.ts";
import { normaliseAnswer } from "./answer.ts";
import { groupAnswers } from "./group-answers.ts";
import { measureAgreement } from "./tally.ts";

/** The text by which an answer is compared: the short one where there is one. */
export function comparableOf({ short_answer, answer }: Pick<Speech, "short_answer" | "answer">): string | null {
  return answer === null ? null : (short_answer ?? answer);
}

/** Makes the record of a round: each speech with the form that its camp shares, and how far they agree. `groups` are those of the answers given, as rules or the `same_answer` role made them. */
export function recordRound(
  question: Question,
  round: number,
  said: { role: string; reply: Speech }[],
  groups: number[][] | null = null,
): Round {
  const answering = said.filter(({ reply }) => reply.answer !== null);
  const texts = answering.map(({ reply }) => comparableOf(reply) ?? "");
  const made = groups ?? groupAnswers(texts, question).groups;
  const canonicalOf = ({ role }: { role: string }): string | null => {
    const place = answering.findIndex((one) => one.role === role);
    const [first] = made.find((group) => group.includes(place)) ?? [];
    return first === undefined ? null : normaliseAnswer(texts[first] ?? "", question);
  };
  const speeches = said.map((one) => ({ ...one.reply, speaker: one.role, canonical: canonicalOf(one) }));
  return { round, agreement: measureAgreement(speeches), speeches };
}
