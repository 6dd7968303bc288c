import fc from "fast-check";
import { expect, it } from "vitest";
import { findTemperature, measureMiscalibration, tabulateReliability } from "./calibrate.ts";
import { type Example, fit, labels, score, toShares } from "./fit.ts";
import { type Layer, parseLayer, pickLabel, printLayer, weighFeatures } from "./layer.ts";

const teach = (word: string, label: Example["label"]): Example => ({
  features: new Map([
    ["always", 1],
    [`text ${word}`, 1],
  ]),
  label,
  weight: 1,
});
const lessons = Array.from({ length: 20 }, () => [
  teach("great", "positive"),
  teach("bad", "negative"),
  teach("had", "neutral"),
]).flat();
const layerOf = (weights: Layer["weights"]): Layer => ({
  language: "en",
  sources: [],
  examples: { named: 60, implicit: 0 },
  figures: { accuracy: 1, macro_f1: 1, miscalibration: 0 },
  temperature: 1,
  seen: new Set(["0a1b2c3d"]),
  weights,
});

it("what the examples show is learnt, and the same examples give the same weights", () => {
  const weights = fit(lessons, new Map());
  for (const [word, label] of [
    ["great", "positive"],
    ["bad", "negative"],
    ["had", "neutral"],
  ] as const)
    expect(
      pickLabel(
        weighFeatures(
          layerOf(weights),
          new Map([
            ["always", 1],
            [`text ${word}`, 1],
          ]),
        ),
      ),
    ).toBe(label);
  expect([...fit(lessons, new Map())]).toEqual([...weights]);
});

it("a base keeps what the examples do not speak of", () => {
  const base = new Map([["text lovely", [2, -1] as const]]);
  expect(fit(lessons, base).get("text lovely")).toEqual([2, -1]);
});

it("a feature of a single example is not learnt", () => {
  expect(fit([...lessons, teach("once", "positive")], new Map()).has("text once")).toBe(false);
});

it("a layer says the same after it was written and read, but for rounding", () => {
  const layer = layerOf(fit(lessons, new Map()));
  const again = parseLayer(printLayer(layer), "layer.json");
  for (const { features } of lessons.slice(0, 3))
    expect(weighFeatures(again, features).positive).toBeCloseTo(weighFeatures(layer, features).positive, 1);
  expect(printLayer(again)).toBe(printLayer(parseLayer(printLayer(again), "layer.json")));
});

it("what is not a layer is refused with the reason", () => {
  expect(() => parseLayer("weights", "x.json")).toThrow("x.json: a learnt layer is a JSON file, and this is none");
  expect(() => parseLayer('{"format": "other"}', "x.json")).toThrow("this is not a learnt layer");
});

it("shares are shares: none negative, together one, whatever the features", () => {
  const layer = layerOf(fit(lessons, new Map()));
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom("always", "text great", "text bad", "text x"),
        fc.double({ min: -50, max: 50, noNaN: true }),
      ),
      (found) => {
        const shares = weighFeatures(layer, new Map(Object.entries(found)));
        expect(labels.reduce((sum, label) => sum + shares[label], 0)).toBeCloseTo(1, 9);
        expect(Math.min(...labels.map((label) => shares[label]))).toBeGreaterThanOrEqual(0);
      },
    ),
  );
});

it("a layer that is too sure gets a higher temperature, and its confidence fits then", () => {
  const scored = Array.from({ length: 100 }, (_, index) => ({
    scores: [6, 0, 0],
    label: index < 70 ? ("positive" as const) : ("negative" as const),
    weight: 1,
  }));
  const temperature = findTemperature(scored);
  expect(temperature).toBeGreaterThan(2);
  const confidence = Math.max(...toShares([6, 0, 0], temperature));
  const rows = tabulateReliability(scored.map(({ label }) => ({ confidence, right: label === "positive" })));
  expect(measureMiscalibration(rows)).toBeLessThan(0.1);
});

it("features that no weight knows leave the three answers level", () => {
  expect(score(new Map(), new Map([["text x", 1]]))).toEqual([0, 0, 0]);
});
