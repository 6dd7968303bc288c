import { calibration, measureRisk } from "./confidence.ts";
import { expect, it } from "vitest";

it("weights each bin's gap by its share; a confidence of 1 falls in the last bin", () => {
  const found = calibration([
    { confidence: 0.95, right: true },
    { confidence: 0.95, right: false },
    { confidence: 0.55, right: true },
    { confidence: 0.15, right: false },
  ]);
  expect(found?.ece).toBeCloseTo((2 * 0.45 + 0.45 + 0.15) / 4, 12);
  expect(calibration([{ confidence: 1, right: true }])).toMatchObject({ items: 1, ece: 0 });
  expect(calibration([])).toBeNull();
});

it("follows the most confident answers first", () => {
  const found = measureRisk([
    { confidence: 0.2, score: 0 },
    { confidence: 0.9, score: 1 },
    { confidence: 0.5, score: 0 },
  ]);
  expect(found).toEqual([
    { coverage: 1 / 3, wrong: 0 },
    { coverage: 2 / 3, wrong: 0.5 },
    { coverage: 1, wrong: 2 / 3 },
  ]);
});

it("takes equal confidences in the order given, and has no point without an answer", () => {
  expect(measureRisk([1, 0].map((score) => ({ confidence: 0.5, score })))).toEqual([
    { coverage: 0.5, wrong: 0 },
    { coverage: 1, wrong: 0.5 },
  ]);
  expect(measureRisk([])).toEqual([]);
});
