import type { Answer } from "../../../engine/debate.ts";
import { comparableOf, recordRound } from "../rules/record-round.ts";
import { groupAnswers } from "../rules/group-answers.ts";
import { comparesAnswers } from "../rules/speakers.ts";
import type { Round } from "../schemas/decision.ts";
import type { Speech } from "../schemas/reply.ts";
import type { Session } from "./session.ts";

/** Makes the record of a round. Where rules cannot tell whether two answers say the same, the `same_answer` role is asked, once for the round (question spec §5.3). */
export async function settleRound(session: Session, n: number, said: Answer<Speech>[]): Promise<Round> {
  const { debate, roles, config, brief } = session;
  const texts = said.flatMap(({ reply }) => comparableOf(reply) ?? []);
  const { groups, unsure } = groupAnswers(texts, brief.question);
  if (unsure.length === 0 || !comparesAnswers(config)) return recordRound(brief.question, n, said, groups);
  const answers = groups.map(([first = 0]) => texts[first] ?? "");
  const reply = await debate.tryAsk(roles.sameAnswer, { question: brief.question, answers });
  const merged = reply?.groups.map((numbers) => numbers.flatMap((number) => groups[number - 1] ?? [])) ?? groups;
  debate.note("same_answer", {
    after_round: n,
    answers: answers.length,
    unsure_pairs: unsure.length,
    told_apart: merged.length,
    by: reply ? "the same_answer role" : "the rules: what they cannot tell counts as different",
  });
  return recordRound(brief.question, n, said, merged);
}
