import { expect, it } from "vitest";
import { orderCandidates } from "./additions.ts";

const text = "뚜껑은 뻑뻑하지만 발림은 부드러워요";
const lid = { aspect: "뚜껑", polarity: "negative" } as const;
const feel = { aspect: "발림", polarity: "positive" } as const;

it.each([
  ["positive", [feel, lid]],
  ["negative", [lid, feel]],
  ["mixed", [feel, lid]],
  ["neutral", [lid, feel]],
  [null, [lid, feel]],
] as const)("what stands for a text that the judge calls %s comes first", (sentence, ordered) => {
  expect(orderCandidates(text, [lid, feel], sentence)).toEqual(ordered);
});
