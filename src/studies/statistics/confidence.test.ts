import * as fc from "fast-check";
import { type Answered, calibration, riskCoverage } from "./confidence.ts";
import { expect, it } from "vitest";

it("weights each bin's gap by its share", () => {
  const found = calibration([
    { confidence: 0.95, score: 1 },
    { confidence: 0.95, score: 0 },
    { confidence: 0.55, score: 1 },
    { confidence: 0.15, score: 0 },
  ]);
  expect(found?.ece).toBeCloseTo((2 * 0.45 + 0.45 + 0.15) / 4, 12);
  expect(found?.brier).toBeCloseTo((0.05 ** 2 + 0.95 ** 2 + 0.45 ** 2 + 0.15 ** 2) / 4, 12);
  expect(found?.bins.map((bin) => bin.count)).toEqual([1, 1, 2]);
});

it("a confidence of 1 falls in the last bin, and a perfect player has no error", () => {
  expect(calibration([{ confidence: 1, score: 1 }])).toMatchObject({ ece: 0, brier: 0, bins: [{ low: 0.9, high: 1 }] });
  expect(calibration([])).toBeNull();
});

it("agrees with a direct sum over bins", () => {
  const item = fc.record({ confidence: fc.double({ min: 0, max: 1, noNaN: true }), score: fc.constantFrom(0, 1) });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), (items) => {
      let expected = 0;
      for (let bin = 0; bin < 10; bin++) {
        const inside = items.filter((one) => Math.min(9, Math.floor(one.confidence * 10)) === bin);
        expected += Math.abs(inside.reduce((sum, one) => sum + one.score - one.confidence, 0));
      }
      expect(calibration(items)?.ece).toBeCloseTo(expected / items.length, 9);
    }),
  );
});

it("follows the most confident answers first", () => {
  const found = riskCoverage([
    { confidence: 0.2, score: 0 },
    { confidence: 0.9, score: 1 },
    { confidence: null, score: 0 },
    { confidence: 0.5, score: 0 },
  ]);
  expect(found.points).toEqual([
    { coverage: 0.25, risk: 0, threshold: 0.9 },
    { coverage: 0.5, risk: 0.5, threshold: 0.5 },
    { coverage: 0.75, risk: 2 / 3, threshold: 0.2 },
  ]);
  expect(found.coverage).toBe(0.75);
  expect(found.aurc).toBeCloseTo((0 + 0.5 + 2 / 3) / 3, 12);
});

it("equals the mean over all orders of cases with equal confidence", () => {
  const item = fc.record({ confidence: fc.constantFrom(0.2, 0.8), score: fc.constantFrom(0, 1) });
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), (items) => {
      const orders = permutations(items).filter((order) => isSorted(order));
      const areas = orders.map((order) => {
        let loss = 0;
        return order.reduce((sum, one, i) => sum + (loss += 1 - one.score) / (i + 1), 0) / order.length;
      });
      expect(riskCoverage(items).aurc).toBeCloseTo(areas.reduce((x, y) => x + y, 0) / areas.length, 9);
    }),
  );
});

it("has no point without an answer", () => {
  expect(riskCoverage([])).toEqual({ points: [], aurc: 0, coverage: 0 });
  expect(riskCoverage([{ confidence: null, score: 0 }])).toEqual({ points: [], aurc: 0, coverage: 0 });
});

function permutations<T>(items: T[]): T[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

function isSorted(order: Answered[]): boolean {
  return order.every((one, i) => i === 0 || (order[i - 1]?.confidence ?? 0) >= (one.confidence ?? 0));
}
