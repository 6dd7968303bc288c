import { describe, expect, it } from "vitest";
import { carryGroups, carryJudgement } from "./carry.ts";
import type { JudgeInput, SameAnswerInput } from "./role-inputs.ts";

const comparing = (...answers: string[]): SameAnswerInput => ({ question: { question: "?" } as never, answers });

/** What a judge sees of speakers who answered, in this order. */
const judging = (...speakers: string[]): JudgeInput =>
  ({ history: [{ round: 1, speeches: speakers.map((speaker) => ({ speaker })) }] }) as unknown as JudgeInput;

describe("groups of answers, when others are compared", () => {
  it.each([
    ["one is silent: the others keep their groups", ["a", "b", "c"], [[1, 3], [2]], ["b", "c"], [[2], [1]]],
    ["a group whose answers are all gone is gone", ["a", "b"], [[1], [2]], ["b"], [[1]]],
    ["an answer that was not there stands alone", ["a", "b"], [[1, 2]], ["a", "b", "d"], [[1, 2], [3]]],
  ])("%s", (_, from, groups, to, carried) => {
    const reply = carryGroups({ reasoning: "so", groups }, comparing(...from), comparing(...to));
    expect(reply.groups).toEqual(carried);
  });
});

describe("a judge's winner, when somebody is silent", () => {
  const follow = (winner: number | null) => ({ reasoning: "so", winner, answer: "yes", confidence: 0.7 });
  it.each([
    ["is followed under another number", 3, ["a", "c"], 2],
    ["can be followed no more when silent", 2, ["a", "c"], null],
    ["is nobody when it was nobody", null, ["a", "c"], null],
  ])("%s", (_, winner, to, carried) => {
    expect(carryJudgement(follow(winner), judging("a", "b", "c"), judging(...to)).winner).toBe(carried);
  });
});
