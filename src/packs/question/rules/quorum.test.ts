import { describe, expect, it } from "vitest";
import type { Round } from "../schemas/decision.ts";
import { findShortfalls } from "./quorum.ts";
import { tally } from "./tally.ts";

/** A round in which these answers were given; null is a speaker that was heard and had none. */
function hear(answers: (string | null)[]): { last: Round; camps: ReturnType<typeof tally> } {
  const speeches = answers.map((answer, i) => ({
    speaker: `s${i}`,
    answer,
    canonical: answer,
    reasoning: "knows nothing",
    confidence: 0.5,
    quotes: [],
    short_answer: null,
  }));
  return { last: { round: 1, agreement: 0, speeches }, camps: tally(speeches) };
}

describe("without a judge", () => {
  it.each([
    [3, ["A", "B"], []],
    [3, ["A"], ["only 1 of 3 speakers gave an answer"]],
    [2, ["A"], ["only 1 of 2 speakers gave an answer"]],
    [3, ["A", null, null], ["only 1 of 3 speakers gave an answer", "knows nothing"]],
    [1, ["A"], []],
    [3, [], ["none of the 3 speakers gave an answer"]],
    [1, [], ["the only speaker gave no answer"]],
  ])("of %i speakers, %j is short of %j", (speakers, answers, shortfalls) =>
    expect(findShortfalls({ speakers, hasJudge: false }, { ...hear(answers), judgement: null })).toEqual(shortfalls),
  );
});

describe("with a judge", () => {
  const judgement = { answer: "A", winner: 1, reasoning: "because", confidence: 0.9 };
  const attendance = { speakers: 2, hasJudge: true };
  it("a speaker without an answer was heard, as long as another has one", () => {
    expect(findShortfalls(attendance, { ...hear(["A", null]), judgement })).toEqual([]);
    expect(findShortfalls(attendance, { ...hear([null, null]), judgement })).not.toEqual([]);
    expect(findShortfalls(attendance, { ...hear(["A"]), judgement })).not.toEqual([]);
  });
  it("a judge that gave no reply or no answer leaves it undecided", () => {
    expect(findShortfalls(attendance, { ...hear(["A", "B"]), judgement: null })).toEqual([
      "the judge gave no valid reply",
    ]);
    const none = { ...judgement, answer: null, winner: null };
    expect(findShortfalls(attendance, { ...hear(["A", "B"]), judgement: none })).toEqual([
      "the judge found no answer: because",
    ]);
  });
});
