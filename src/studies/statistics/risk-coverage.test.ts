import * as fc from "fast-check";
import { expect, it } from "vitest";
import { type Answered, riskCoverage } from "./risk-coverage.ts";

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
