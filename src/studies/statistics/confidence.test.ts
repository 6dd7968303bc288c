import { measureRisk } from "./statistics.ts";
import { expect, it } from "vitest";

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
