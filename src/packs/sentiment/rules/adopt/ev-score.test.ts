import { describe, expect, it } from "vitest";
import { sentiment } from "../../../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "../../config.ts";
import { computeEvScore, measureAlignment, measureGrounding } from "./ev-score.ts";

it("the EV score is the weighted mean of the components that apply", () => {
  const components = {
    debate_support: 1,
    validator_resolved: 0.5,
    grounding_improvement: null,
    alignment_improvement: 0,
  };
  expect(computeEvScore(components, SentimentConfigSchema.parse({}).ev_weights)).toBeCloseTo((0.6 + 0.1) / 0.9);
});

describe("the components of the EV score", () => {
  const rated = (...confidences: number[]) =>
    confidences.map((confidence, at) => sentiment(`a${at}`, "positive", { confidence }));
  it.each([
    ["a tenth more confidence is half an alignment", rated(0.5), rated(0.6), 0.5],
    ["the mean of the list counts", rated(0.5, 0.7), rated(0.6, 0.7), 0.25],
    ["a fifth more is all of it", rated(0.5), rated(0.7), 1],
    ["more than that is no more", rated(0.1), rated(0.9), 1],
    ["less confidence is none, not less than none", rated(0.9), rated(0.5), 0],
    ["a missing sentiment has no confidence", [sentiment("a", null)], rated(0.1), 0.5],
  ])("alignment: %s", (_name, before, after, expected) =>
    expect(measureAlignment(before, after)).toBeCloseTo(expected),
  );

  it("grounding: the rise in the share of explicit sentiments, where Stage 1 had none", () => {
    const implicit = [sentiment("", "positive", { is_implicit: true })];
    expect(measureGrounding(implicit, [...implicit, ...rated(0.5)])).toBe(0.5);
    expect(measureGrounding(rated(0.5), rated(0.5, 0.5))).toBeNull();
  });
});
