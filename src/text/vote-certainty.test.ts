import fc from "fast-check";
import { expect, it } from "vitest";
import { measureCertainty } from "./random.ts";

it.each([
  [0, 0, 0.5],
  [3, 0, 0.9375],
  [4, 0, 0.96875],
  [2, 2, 0.5],
  [6, 1, 0.964844],
])("a lead of %i over %i is %f certain", (lead, next, certainty) =>
  expect(measureCertainty(lead, next)).toBeCloseTo(certainty, 5),
);

it("one more vote for the lead never makes it less certain, and it stays within 0.5 and 1", () => {
  const votes = fc.integer({ min: 0, max: 40 });
  fc.assert(
    fc.property(votes, votes, (next, more) => {
      const certainty = measureCertainty(next + more, next);
      expect(measureCertainty(next + more + 1, next)).toBeGreaterThanOrEqual(certainty);
      expect(certainty).toBeGreaterThanOrEqual(0.5);
      expect(certainty).toBeLessThanOrEqual(1);
    }),
  );
});
