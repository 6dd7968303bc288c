import * as fc from "fast-check";
import { expect, it } from "vitest";
import { boundDifference, holm, mcnemarP, testPaired } from "./statistics.ts";

it.each([
  { b: 10, c: 2, p: 0.03857421875 },
  { b: 121, c: 59, p: 4.4344492e-6 },
  { b: 0, c: 5, p: 0.0625 },
  { b: 6, c: 6, p: 1 },
  { b: 30, c: 45, p: 0.10534227 },
])("agrees with scipy at $b against $c", ({ b, c, p }) => expect(mcnemarP(b, c)).toBeCloseTo(p, 7));

it("agrees with counting all outcomes of fair coins", () => {
  fc.assert(
    fc.property(fc.nat(7), fc.nat(7), (b, c) => {
      const trials = b + c;
      let asExtreme = 0;
      for (let outcome = 0; outcome < 2 ** trials; outcome++) {
        const heads = outcome.toString(2).replaceAll("0", "").length;
        if (Math.abs(heads - trials / 2) >= Math.abs(b - trials / 2)) asExtreme++;
      }
      expect(mcnemarP(b, c)).toBeCloseTo(asExtreme / 2 ** trials, 9);
    }),
  );
});

it("counts the cases on which the arms differ, and its interval says what its p-value says", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 60 }), (pairs) => {
      const found = testPaired(
        pairs.map(([one]) => Number(one)),
        pairs.map(([, other]) => Number(other)),
      );
      expect(found.p).toBeCloseTo(mcnemarP(found.wins, found.losses), 12);
      expect(found.difference.low > 0 || found.difference.high < 0).toBe(found.p < 0.05);
    }),
  );
  expect(() => testPaired([1], [])).toThrow(/same length/);
});

it("turns signs for scores between right and wrong, and gives McNemar's value where they are not", () => {
  const fine = testPaired([0.1, 0.2, 0.3, 0.1], [0.4, 0.5, 0.9, 0.3]);
  expect(fine).toMatchObject({ exact: false, p: 2 / 16, wins: 4 });
  const many = testPaired(
    Array.from({ length: 40 }, () => 0),
    Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? -0.5 : 0.5)),
  );
  expect(many.p).toBeCloseTo(mcnemarP(10, 30), 2);
});

it("stays finite for thousands of discordant cases", () => {
  expect(mcnemarP(6000, 5000)).toBeGreaterThan(0);
  expect(mcnemarP(6000, 5000)).toBeLessThan(1e-15);
});

it("adjusts a known example", () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
  for (const [i, known] of [0.03, 0.06, 0.06, 0.02].entries()) expect(adjusted[i]).toBeCloseTo(known, 12);
});

it("rejects exactly what the step-down procedure rejects", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }), (pValues) => {
      const alpha = 0.05;
      const rejected = new Set<number>();
      const order = pValues.map((_, i) => i).sort((x, y) => (pValues[x] as number) - (pValues[y] as number));
      for (const [rank, i] of order.entries()) {
        if ((pValues[i] as number) * (pValues.length - rank) > alpha) break;
        rejected.add(i);
      }
      expect(holm(pValues).flatMap((p, i) => (p <= alpha ? [i] : []))).toEqual([...rejected].sort((x, y) => x - y));
    }),
  );
});

it("never lowers a p-value and never passes 1", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (pValues) => {
      for (const [i, adjusted] of holm(pValues).entries()) {
        expect(adjusted).toBeGreaterThanOrEqual(pValues[i] as number);
        expect(adjusted).toBeLessThanOrEqual(1);
      }
    }),
  );
});

it("bounds what agreement on every case leaves open", () => {
  expect(boundDifference(30)).toBeCloseTo(0.095, 4);
  expect((1 - boundDifference(30)) ** 30).toBeCloseTo(0.05, 10);
  expect(boundDifference(0)).toBe(1);
});
