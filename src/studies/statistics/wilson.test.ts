import { expect, it } from "vitest";
import { wilson } from "./wilson.ts";

it.each([
  [8, 10, 0.4901625, 0.9433178],
  [0, 20, 0, 0.1611252],
  [50, 100, 0.4038315, 0.5961685],
  [999, 1000, 0.9943574, 0.9998235],
])("agrees with scipy at %i of %i", (successes, trials, low, high) => {
  const found = wilson(successes, trials);
  expect(found?.low).toBeCloseTo(low, 6);
  expect(found?.high).toBeCloseTo(high, 6);
});

it("has no interval without a trial", () => expect(wilson(0, 0)).toBeNull());
