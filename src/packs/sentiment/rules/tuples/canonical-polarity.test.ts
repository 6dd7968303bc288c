import { expect, it } from "vitest";
import { canonicalisePolarity, flipPolarity } from "./canonical-polarity.ts";

it.each([
  ["positive", "positive"],
  ["negative", "negative"],
  ["neutral", "neutral"],
  ["pos", "positive"],
  ["neg", "negative"],
  ["neu", "neutral"],
  ["  Positive ", "positive"],
  ["NEG", "negative"],
])("%j is %s", (word, polarity) => expect(canonicalisePolarity(word)).toBe(polarity));

it.each(["positiveitive", "positve", "mixed", "긍정", "", "constructor", null, undefined, 1, {}])(
  "%j is invalid, never neutral",
  (word) => expect(canonicalisePolarity(word)).toBeNull(),
);

it("the full words survive being made canonical twice", () => {
  for (const word of ["positive", "negative", "neutral"])
    expect(canonicalisePolarity(canonicalisePolarity(word))).toBe(word);
});

it("only positive and negative have an opposite", () => {
  expect([flipPolarity("positive"), flipPolarity("negative"), flipPolarity("neutral"), flipPolarity(null)]).toEqual([
    "negative",
    "positive",
    null,
    null,
  ]);
});
