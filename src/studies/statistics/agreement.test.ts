import * as fc from "fast-check";
import { cohensKappa, errorCorrelations } from "./agreement.ts";
import { expect, it } from "vitest";
import { sampleCorrelation } from "simple-statistics";

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

function record(player: string, right: boolean[]) {
  return { player, right: new Map(right.map((value, i) => [String(i), value])) };
}

it("equals Pearson's correlation of the error indicators", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 2 }), (pairs) => {
      const [first, second] = [pairs.map((p) => p[0]), pairs.map((p) => p[1])];
      const [found] = errorCorrelations([record("a", first), record("b", second)]);
      if (new Set(first).size < 2 || new Set(second).size < 2) {
        expect(found?.correlation).toBeNull();
        return;
      }
      expect(found?.correlation).toBeCloseTo(sampleCorrelation(first.map(Number), second.map(Number)), 9);
    }),
  );
});

it("looks only at items both answered, pair by pair", () => {
  const found = errorCorrelations([
    record("a", [true, false, false, true]),
    record("b", [true, false, true]),
    record("c", [true, false]),
  ]);
  expect(found.map((pair) => [pair.first, pair.second, pair.items])).toEqual([
    ["a", "b", 3],
    ["a", "c", 2],
    ["b", "c", 2],
  ]);
  expect(found[0]).toMatchObject({ bothWrong: 1 / 3, bothWrongByChance: 2 / 9 });
});

it("one model in three costumes errs as one", () => {
  const same = [true, false, true, false, false];
  expect(errorCorrelations([record("a", same), record("b", same)])[0]?.correlation).toBe(1);
});
