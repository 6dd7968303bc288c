import { expect, it } from "vitest";
import { hint } from "../../../../../test/support/sentiment/turns.ts";
import { scoreHints } from "./hint-scores.ts";

it.each([
  ["the larger score is the target", [hint("positive", 0.9), hint("negative", 0.8)], "positive", 0.1],
  ["in a tie the target is negative, with no margin", [hint("positive", 0.8), hint("negative", 0.8)], "negative", 0],
  [
    "a tie of sums that differ by the noise of decimals is a tie",
    [hint("positive", 0.1), hint("positive", 0.2), hint("negative", 0.3)],
    "negative",
    0,
  ],
  ["neutral votes and removals are on no side", [hint("neutral", 2), hint(null, 2, { removal: true })], null, 0],
])("%s", (_name, hints, target, margin) => {
  expect(scoreHints(hints)).toMatchObject({ target, margin });
});

it("the confidence of the target is the mean of what its own voters state", () => {
  const hints = [
    hint("positive", 0.8, { confidence: 0.4 }),
    hint("positive", 0.8, { confidence: 0.8 }),
    hint("positive", 0.8),
    hint("negative", 0.8, { confidence: 0.1 }),
  ];
  expect(scoreHints(hints).targetConfidence).toBeCloseTo(0.6);
});
