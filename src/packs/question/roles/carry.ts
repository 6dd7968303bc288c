import type { Judgement, SameAnswers } from "../schemas/reply.ts";
import type { JudgeInput, SameAnswerInput } from "./role-inputs.ts";

/** The judge follows the same speaker under whatever number; one who is silent now can be followed no more. */
export function carryJudgement(judgement: Judgement, from: JudgeInput, to: JudgeInput): Judgement {
  if (judgement.winner === null) return judgement;
  const followed = from.history.at(-1)?.speeches[judgement.winner - 1]?.speaker;
  const speeches = to.history.at(-1)?.speeches ?? [];
  const at = speeches.findIndex(({ speaker }) => speaker === followed);
  return { ...judgement, winner: at < 0 ? null : at + 1 };
}

/** Answers stay in the groups they were in; one that was not compared then stands alone. */
export function carryGroups(
  { reasoning, groups }: SameAnswers,
  from: SameAnswerInput,
  to: SameAnswerInput,
): SameAnswers {
  const numbers = new Map(to.answers.map((answer, at) => [answer, at + 1]));
  const kept = groups
    .map((group) => group.flatMap((number) => numbers.get(from.answers[number - 1] ?? "") ?? []))
    .filter((group) => group.length > 0);
  const known = new Set(kept.flat());
  const alone = [...numbers.values()].filter((number) => !known.has(number)).map((number) => [number]);
  return { reasoning, groups: [...kept, ...alone] };
}
