import { expect, test } from "vitest";
import { cosine } from "./similar.ts";

test("the same direction is 1, a right angle 0, the opposite -1", () => {
  expect(cosine([1, 2], [2, 4])).toBeCloseTo(1, 12);
  expect(cosine([1, 0], [0, 3])).toBe(0);
  expect(cosine([1, 1], [-1, -1])).toBeCloseTo(-1, 12);
});

test("a vector without length points nowhere", () => {
  expect(cosine([0, 0], [1, 2])).toBe(0);
});
