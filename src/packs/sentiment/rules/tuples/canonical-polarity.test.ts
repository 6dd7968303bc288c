import { expect, it } from "vitest";
import { canonicalPolarity, opposite } from "./canonical-polarity.ts";

it.each([
  ["positive", "positive"],
  ["negative", "negative"],
  ["neutral", "neutral"],
  ["pos", "positive"],
  ["neg", "negative"],
  ["neu", "neutral"],
  ["  Positive ", "positive"],
  ["NEG", "negative"],
])("%j is %s", (word, polarity) => expect(canonicalPolarity(word)).toBe(polarity));

it.each(["positiveitive", "positve", "mixed", "긍정", "", "constructor", null, undefined, 1, {}])(
  "%j is invalid, never neutral",
  (word) => expect(canonicalPolarity(word)).toBeNull(),
);

it("the full words survive being made canonical twice", () => {
  for (const word of ["positive", "negative", "neutral"]) expect(canonicalPolarity(canonicalPolarity(word))).toBe(word);
});

it("only positive and negative have an opposite", () => {
  expect([opposite("positive"), opposite("negative"), opposite("neutral"), opposite(null)]).toEqual([
    "negative",
    "positive",
    null,
    null,
  ]);
});
