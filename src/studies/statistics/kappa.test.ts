import * as fc from "fast-check";
import { expect, it } from "vitest";
import { cohensKappa } from "./kappa.ts";

it("reproduces the textbook example of two readers (20, 5, 10, 15)", () => {
  const first = [...Array(25).fill("yes"), ...Array(25).fill("no")];
  const second = [...Array(20).fill("yes"), ...Array(5).fill("no"), ...Array(10).fill("yes"), ...Array(15).fill("no")];
  const found = cohensKappa(first, second);
  expect(found.observed).toBeCloseTo(0.7, 12);
  expect(found.expected).toBeCloseTo(0.5, 12);
  expect(found.kappa).toBeCloseTo(0.4, 12);
});

it("is 1 for full agreement on several labels, and undefined when chance explains everything", () => {
  expect(cohensKappa(["a", "b", "c"], ["a", "b", "c"]).kappa).toBe(1);
  expect(cohensKappa(["a", "a"], ["a", "a"]).kappa).toBeNull();
  expect(cohensKappa([], []).kappa).toBeNull();
});

it("does not depend on which rater comes first, and is never above 1", () => {
  const label = fc.constantFrom("p", "n", "0");
  fc.assert(
    fc.property(fc.array(fc.tuple(label, label), { minLength: 1 }), (pairs) => {
      const forward = cohensKappa(
        pairs.map((p) => p[0]),
        pairs.map((p) => p[1]),
      ).kappa;
      const backward = cohensKappa(
        pairs.map((p) => p[1]),
        pairs.map((p) => p[0]),
      ).kappa;
      if (forward === null) {
        expect(backward).toBeNull();
        return;
      }
      expect(backward).toBeCloseTo(forward, 12);
      expect(forward).toBeLessThanOrEqual(1);
    }),
  );
});

it("refuses raters of different items", () => expect(() => cohensKappa(["a"], [])).toThrow(/same items/));
