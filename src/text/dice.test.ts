import { expect, it } from "vitest";
import { dice } from "./similar.ts";

it.each([
  [["a", "b"], ["a", "b"], 1],
  [["a", "b"], ["b", "c"], 0.5],
  [["a", "a"], ["a"], 2 / 3],
  [["a"], [], 0],
  [[], [], 0],
])("%j against %j is %d", (a, b, expected) => {
  expect(dice(a, b)).toBeCloseTo(expected);
  expect(dice(b, a)).toBeCloseTo(expected);
});

it("two empty texts are as alike as the caller says", () => {
  expect(dice([], [], 1)).toBe(1);
  expect(dice(["a"], [], 1)).toBe(0);
});
