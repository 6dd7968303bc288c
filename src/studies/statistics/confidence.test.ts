import * as fc from "fast-check";
import { calibration, measureRisk } from "./confidence.ts";
import { expect, it } from "vitest";

it("weights each bin's gap by its share", () => {
  const found = calibration([
    { confidence: 0.95, score: 1 },
    { confidence: 0.95, score: 0 },
    { confidence: 0.55, score: 1 },
    { confidence: 0.15, score: 0 },
  ]);
  expect(found?.ece).toBeCloseTo((2 * 0.45 + 0.45 + 0.15) / 4, 12);
  expect(found?.bins.map((bin) => bin.count)).toEqual([1, 1, 2]);
});

it("a confidence of 1 falls in the last bin, and a perfect player has no error", () => {
  expect(calibration([{ confidence: 1, score: 1 }])).toMatchObject({ ece: 0, bins: [{ count: 1 }] });
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
  const found = measureRisk([
    { confidence: 0.2, score: 0 },
    { confidence: 0.9, score: 1 },
    { confidence: null, score: 0 },
    { confidence: 0.5, score: 0 },
  ]);
  expect(found).toEqual([
    { coverage: 0.25, wrong: 0 },
    { coverage: 0.5, wrong: 0.5 },
    { coverage: 0.75, wrong: 2 / 3 },
  ]);
});

it("takes equal confidences together, and has no point without an answer", () => {
  expect(measureRisk([0, 1].map((score) => ({ confidence: 0.5, score })))).toEqual([{ coverage: 1, wrong: 0.5 }]);
  expect(measureRisk([{ confidence: null, score: 0 }])).toEqual([]);
});
