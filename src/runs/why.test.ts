import { describe, expect, it } from "vitest";
import { type Change, describeChange, editReply } from "./why.ts";

const reply = {
  claims: [
    { text: "a", quotes: ["x", "y"] },
    { text: "b", quotes: [] },
  ],
  confidence: 0.8,
};
const part = (...path: (string | number)[]): Extract<Change, { kind: "part" }> => ({
  kind: "part",
  turn: "1/say/a",
  path,
  says: "…",
});

describe("a reply with one change", () => {
  it.each([
    ["an item of a list", part("claims", 0), { ...reply, claims: [{ text: "b", quotes: [] }] }],
    [
      "an item inside an item",
      part("claims", 0, "quotes", 1),
      { ...reply, claims: [{ text: "a", quotes: ["x"] }, reply.claims[1]] },
    ],
    ["a place that is not there", part("claims", 7, "quotes", 0), reply],
  ])("%s", (_name, edit, expected) => {
    expect(editReply(reply, edit)).toEqual(expected);
  });

  it("a score is another, and the reply itself stays as it is", () => {
    const score = { kind: "score", turn: "1/say/a", path: ["confidence"], from: 0.8, to: 0.2 } as const;
    expect(editReply(reply, score)).toEqual({ ...reply, confidence: 0.2 });
    expect(reply.confidence).toBe(0.8);
    expect(describeChange(score)).toBe("1/say/a gives confidence 0.2 instead of 0.8");
  });
});
