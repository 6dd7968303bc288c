import { describe, expect, it } from "vitest";
import { findChoice, isRight, normaliseAnswer, readNumber } from "./answer.ts";

describe("canonical answers", () => {
  it.each([
    ["B", "B"],
    ["(b)", "B"],
    ["B. Jupiter", "B"],
    ["jupiter", "B"],
    ["Venus", null],
    ["B or A", null],
  ])("choice %s is %s", (answer, key) =>
    expect(
      findChoice(answer, [
        { key: "A", text: "Mars" },
        { key: "B", text: "Jupiter" },
      ]),
    ).toBe(key),
  );
  it.each([
    ["$1,234.50", "1234.5"],
    ["42", "42"],
    ["-3", "-3"],
    ["the answer is 7.", "7"],
    ["4.2 million euros", "4200000"],
    ["5kg", "5"],
    ["1 or 2", null],
    ["none", null],
  ])("number %s is %s", (answer, number) => expect(readNumber(answer)).toBe(number));
  it("texts compare without case, punctuation and articles", () => {
    expect(normaliseAnswer("The Mill.", {})).toBe(normaliseAnswer("mill", {}));
    expect(normaliseAnswer("un año", {})).not.toBe(normaliseAnswer("un ño", {}));
    expect(isRight("the  MILL", {}, ["a mill"])).toBe(true);
  });
});
