import { describe, expect, it } from "vitest";
import { proposal, risk, sentiment } from "../../../../../test/support/sentiment/turns.ts";
import type { AspectAggregate } from "../../schemas/outcome.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import { aggregateAspect, aggregateSentence, aggregateValidator } from "./aggregates.ts";

const atsa = (label: Polarity, confidence: number): AspectAggregate => ({
  target: "x",
  label,
  confidence,
  span: null,
  rationale: "",
});

describe("aggregates", () => {
  it("ATE: the polarity with the largest confidence sum, with the mean of its confidences", () => {
    const list = [
      sentiment("a", "positive", { confidence: 0.9 }),
      sentiment("b", "positive", { confidence: 0.7 }),
      sentiment("c", "negative", { confidence: 0.7 }),
    ];
    expect(aggregateSentence(list)).toMatchObject({ label: "positive", confidence: 0.8 });
  });

  it("ATE: mixed when the smaller sum is at least half the larger, with the highest confidence", () => {
    const list = [sentiment("a", "positive", { confidence: 0.9 }), sentiment("c", "negative", { confidence: 0.45 })];
    expect(aggregateSentence(list)).toMatchObject({ label: "mixed", confidence: 0.9 });
  });

  it("ATE: nothing stated is neutral with 0, and missing is not neutral", () => {
    expect(aggregateSentence([sentiment("a", null)])).toMatchObject({ label: "neutral", confidence: 0 });
  });

  it("ATSA: the most confident sentiment with its opinion or aspect span", () => {
    const opinion_term = { term: "great", span: { start: 5, end: 10 } };
    const list = [sentiment("a", "negative", { confidence: 0.4 }), sentiment("b", "positive", { opinion_term })];
    expect(aggregateAspect(list, [])).toMatchObject({ target: "b", label: "positive", span: { start: 5, end: 10 } });
  });

  it("Validator: suggests the flip of the ATSA aggregate's aspect only", () => {
    const reply = (target: string) => ({
      structural_risks: [risk("IRONY", 0, 2, "high")],
      consistency_score: 0.4,
      correction_proposals: [proposal(target, "FLIP_POLARITY")],
    });
    expect(aggregateValidator(reply("x"), atsa("positive", 1))).toEqual({
      suggested_label: "negative",
      issues: ["irony: seen in the text severity:high"],
      confidence: 0.4,
      structural_risk_count: 1,
    });
    expect(aggregateValidator(reply("y"), atsa("positive", 1)).suggested_label).toBeNull();
    expect(aggregateValidator(reply("x"), atsa("neutral", 1)).suggested_label).toBeNull();
  });
});
