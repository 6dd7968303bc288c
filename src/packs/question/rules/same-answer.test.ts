import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { groupAnswers } from "./group-answers.ts";
import { compareAnswers, isSameAnswer } from "./same-answer.ts";

type Pair = { id: string; a: string; b: string; same: boolean; question?: string };
const pairs = readFileSync(new URL("../../../../examples/question/same-answers.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Pair);

describe("whether two answers say the same", () => {
  it("different answers are never taken for the same", () => {
    expect(pairs.filter(({ a, b, same, question }) => !same && isSameAnswer(a, b, question))).toEqual([]);
  });
  it("the same answer is recognised, but for what takes knowledge (H2O is water)", () => {
    const missed = pairs.filter(({ a, b, same, question }) => same && !isSameAnswer(a, b, question));
    expect(missed.map(({ id }) => id)).toEqual(["P081"]);
  });
  it.each([
    ["the turbine jammed", "the rotor seized", "unsure"],
    ["14 days", "14 working days", "different"],
    ["Paris", "Paris or Lyon", "unsure"],
    ["2,5 kg", "2.500 g", "same"],
    ["between 2 and 4", "between 4 and 2", "unsure"],
    ["the dog bit the man", "the man bit the dog", "different"],
    ["", "  ", "same"],
    ["half an hour", "30 minutes", "same"],
    ["setengah jam", "30 menit", "same"],
    ["half an hour", "an hour and a half", "different"],
    ["half", "half an hour", "different"],
    ["네, 가능합니다", "가능합니다", "same"],
    ["네, 가능합니다", "가능하지 않습니다", "unsure"],
    ["Yes, it is allowed.", "It is allowed.", "same"],
    ["Yes, it is allowed.", "It is not allowed.", "unsure"],
  ])("%s | %s: %s", (a, b, verdict) => expect(compareAnswers(a, b).verdict).toBe(verdict));
  it("does not depend on which is named first, and every text says the same as itself", () => {
    const text = fc.oneof(fc.constantFrom(...pairs.flatMap(({ a, b }) => [a, b])), fc.string());
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(compareAnswers(a, b).verdict).toBe(compareAnswers(b, a).verdict);
        expect(compareAnswers(a, a).verdict).toBe("same");
      }),
    );
  });
});

it("grouping holds every answer once, and no two that are known to differ", () => {
  const answers = fc.array(fc.constantFrom(...pairs.flatMap(({ a, b }) => [a, b])), { maxLength: 8 });
  fc.assert(
    fc.property(answers, (given) => {
      const { groups } = groupAnswers(given, { question: "Which?", docs: [] });
      expect(groups.flat().toSorted((a, b) => a - b)).toEqual([...given.keys()]);
      for (const group of groups)
        for (const one of group)
          for (const other of group)
            expect(compareAnswers(given[one] ?? "", given[other] ?? "", "Which?").verdict).not.toBe("different");
    }),
  );
});
