import * as fc from "fast-check";
import { expect, it } from "vitest";
import { calibration } from "./calibration.ts";

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
