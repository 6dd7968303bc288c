import type { Camp, Round } from "../schemas/decision.ts";
import type { Judgement } from "../schemas/reply.ts";

/** How many were asked, and whether a judge has the last word. */
export type Attendance = { speakers: number; hasJudge: boolean };

/**
 * Finds what the quorum lacks: a majority of the speakers with an answer. Where a judge has the last word, a speaker that
 * has nothing to say for its side was still heard; then a majority must be heard, one of them with an answer, and the
 * judge too (question spec §6.3).
 */
export function findShortfalls(
  { speakers, hasJudge }: Attendance,
  said: { last: Round | undefined; camps: Camp[]; judgement: Judgement | null },
): string[] {
  const speeches = said.last?.speeches ?? [];
  const answering = said.camps.reduce((sum, camp) => sum + camp.speakers.length, 0);
  const heard = hasJudge && answering > 0 ? speeches.length : answering;
  const silent = speeches.filter((speech) => speech.answer === null).map((speech) => speech.reasoning);
  return [
    ...(heard * 2 <= speakers ? [sayHowMany(answering, speakers), ...new Set(silent)] : []),
    ...(hasJudge && said.judgement === null ? ["the judge gave no valid reply"] : []),
    ...(said.judgement?.answer === null ? [`the judge found no answer: ${said.judgement.reasoning}`] : []),
  ];
}

function sayHowMany(answering: number, speakers: number): string {
  if (answering > 0) return `only ${answering} of ${speakers} speakers gave an answer`;
  return speakers === 1 ? "the only speaker gave no answer" : `none of the ${speakers} speakers gave an answer`;
}
