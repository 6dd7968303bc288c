import { describe, expect, it } from "vitest";
import type { Label } from "../../schemas/debate.ts";
import type { AspectAggregate, SentenceAggregate, ValidatorAggregate } from "../../schemas/outcome.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import { type ModeratorInput, moderate, computeSpanIoU } from "./moderate.ts";

const ate = (label: Label, confidence: number): SentenceAggregate => ({ label, confidence, rationale: "" });
const atsa = (label: Polarity, confidence: number, span: [number, number] | null = null): AspectAggregate => ({
  target: "x",
  label,
  confidence,
  span: span && { start: span[0], end: span[1] },
  rationale: "",
});
const validator = (
  suggested_label: Polarity | null,
  confidence: number,
  issues: string[] = [],
): ValidatorAggregate => ({
  suggested_label,
  issues,
  confidence,
  structural_risk_count: issues.length,
});
const run = (over: Partial<ModeratorInput>) =>
  moderate({
    stage1_ate: ate("positive", 0.8),
    stage1_atsa: atsa("positive", 0.8),
    stage2_ate: null,
    stage2_atsa: null,
    validator: null,
    ...over,
  });

describe("rules", () => {
  it("Z: both confidences 0 → neutral, 0, and stop", () => {
    const result = run({
      stage1_ate: ate("positive", 0),
      stage2_ate: ate("negative", 0),
      validator: validator("negative", 1),
    });
    expect(result).toMatchObject({
      final_label: "neutral",
      confidence: 0,
      rationale: "RuleZ: insufficient signal (both confidences 0).",
      applied_rules: ["RuleZ"],
    });
  });

  it("Z: a Stage 2 with a signal goes on", () => {
    expect(run({ stage1_ate: ate("neutral", 0), stage2_ate: ate("negative", 0.5) }).applied_rules).not.toContain(
      "RuleZ",
    );
  });

  it.each(["NEGATION_SCOPE: x severity:low", "Irony: y", "x severity:HIGH"])(
    "C: %s is critical in any letter case",
    (issue) => {
      expect(run({ validator: validator("negative", 0.1, [issue]) }).final_label).toBe("negative");
    },
  );

  it("D: under the drop guard the aspect of the stage that stands speaks, not that of the refused one", () => {
    const guarded = run({
      stage1_ate: ate("positive", 0.9),
      stage1_atsa: atsa("positive", 0.9),
      stage2_ate: ate("positive", 0.5),
      stage2_atsa: atsa("negative", 1),
    });
    expect(guarded).toMatchObject({
      final_label: "positive",
      arbiter_flags: { stage2_rejected_due_to_confidence: true },
    });
    expect(guarded.applied_rules).not.toContain("RuleD");
  });

  it("B: no Stage 2 → Stage 1", () => {
    expect(run({})).toMatchObject({ final_label: "positive", confidence: 0.8, selected_stage: "stage1" });
  });

  it.each([
    [0.7, 0.5, true],
    [0.9, 0.7, true],
    [0.6, 0.4, true],
    [0.7, 0.51, false],
  ])("B: Stage 1 %d, Stage 2 %d → drop_guard %s", (s1, s2, guarded) => {
    const result = run({
      stage1_ate: ate("positive", s1),
      stage2_ate: ate("positive", s2),
      stage2_atsa: atsa("positive", s2),
    });
    expect(result.arbiter_flags.stage2_rejected_due_to_confidence).toBe(guarded);
    expect(result.rationale).toContain(guarded ? "RuleB: Stage2 drop>=0.2; keep Stage1." : "RuleB: Stage2 preferred.");
  });

  it("M: labels that differ → mixed with the larger confidence, under drop_guard too", () => {
    const guarded = {
      stage1_ate: ate("positive", 0.9),
      stage2_ate: ate("negative", 0.5),
      stage2_atsa: atsa("positive", 0.85),
    };
    expect(run(guarded)).toMatchObject({
      final_label: "mixed",
      confidence: 0.9,
      applied_rules: ["RuleB", "RuleM", "RuleD"],
    });
  });

  it.each([
    ["a negation issue", validator("negative", 0.1, ["negation: missed severity:low"]), true],
    ["a negation issue in capitals", validator("negative", 0.1, ["NEGATION: missed severity:low"]), true],
    ["an irony issue", validator("negative", 0.1, ["irony: seen severity:low"]), true],
    ["a contrast issue", validator("negative", 0.1, ["contrast_scope: x severity:low"]), true],
    ["severity:high", validator("negative", 0.1, ["evidence_gap: x severity:high"]), true],
    ["as much confidence", validator("negative", 0.8), true],
    ["less confidence and nothing critical", validator("negative", 0.7, ["span_mismatch: x severity:low"]), false],
    ["no suggestion", validator(null, 1, ["irony: x severity:high"]), false],
  ])("C: %s → veto %s", (_name, given, fires) => {
    const result = run({ validator: given, stage1_atsa: atsa("positive", 0.75) });
    expect(result.arbiter_flags.validator_override_applied).toBe(fires);
    expect(result.applied_rules.includes("RuleC")).toBe(fires);
  });

  it("C: the confidence is the larger one", () => {
    expect(run({ validator: validator("negative", 0.95), stage1_atsa: atsa("negative", 0.9) }).confidence).toBe(0.95);
  });

  it("A: aligned spans and the same label → the mean of the confidences", () => {
    const spans = { stage1_atsa: atsa("positive", 0.6, [0, 10]), stage2_atsa: atsa("positive", 0.6, [0, 9]) };
    const result = run({ ...spans, stage2_ate: ate("positive", 0.8) });
    expect(result.applied_rules).toEqual(["RuleB", "RuleA"]);
    expect(result.confidence).toBeCloseTo(0.7);
  });

  it("A: not under drop_guard, not with a missing span, not below 0.8", () => {
    const far = { stage1_atsa: atsa("positive", 0.6, [0, 10]), stage2_atsa: atsa("positive", 0.6, [0, 7]) };
    expect(run({ ...far, stage2_ate: ate("positive", 0.8) }).applied_rules).toEqual(["RuleB"]);
    const near = { stage1_atsa: atsa("positive", 0.6, [0, 10]), stage2_atsa: atsa("positive", 0.6, [0, 10]) };
    expect(run({ ...near, stage2_ate: ate("positive", 0.5) }).applied_rules).toEqual(["RuleB"]);
    expect(run({}).applied_rules).toEqual(["RuleB"]);
  });

  it.each([
    [0.85, "positive", 0.8, "RuleD: diff<0.1 conflict -> sentence ATE."],
    [0.9, "negative", 0.9, "RuleD: diff>=0.1 ATSA wins."],
    [0.5, "positive", 0.8, "RuleD: diff>=0.1 ATE wins."],
  ])("D: ATSA negative %d against ATE positive 0.8 → %s", (confidence, label, expected, reason) => {
    const result = run({ stage1_atsa: atsa("negative", confidence) });
    expect(result).toMatchObject({ final_label: label, confidence: expected });
    expect(result.rationale).toContain(reason);
  });

  it.each([
    ["a low confidence", ate("positive", 0.5), "negative", true, null],
    ["a high confidence", ate("positive", 0.8), "negative", false, "confidence_too_high"],
    ["the same label", ate("positive", 0.5), "positive", false, "label_unchanged"],
    ["nothing inferred", ate("positive", 0.5), null, false, "inferred_empty"],
    ["a mixed label", ate("mixed", 0.9), "negative", true, null],
  ] as const)("E: %s", (_name, stage1_ate, debate_label, fired, reason) => {
    const stage1_atsa = { ...atsa("positive", stage1_ate.confidence), target: null };
    const result = run({ stage1_ate, stage1_atsa, debate_summary: { sentence_polarity: debate_label } });
    expect(result).toMatchObject({
      rule_e_fired: fired,
      rule_e_block_reason: reason,
      confidence: stage1_ate.confidence,
    });
    if (fired) expect(result.final_label).toBe("negative");
  });

  it.each([
    [0.54, "negative", null],
    [0.549_999, "negative", null],
    [0.55, "positive", "confidence_too_high"],
    [0.56, "positive", "confidence_too_high"],
  ])("E: acts below a confidence of 0.55, at %d → %s", (confidence, label, reason) => {
    const result = run({
      stage1_ate: ate("positive", confidence),
      stage1_atsa: { ...atsa("positive", confidence), target: null },
      debate_summary: { sentence_polarity: "negative" },
    });
    expect(result).toMatchObject({ final_label: label, rule_e_block_reason: reason });
  });
});

it("IoU is intersection over union", () => {
  expect(computeSpanIoU({ start: 0, end: 4 }, { start: 2, end: 6 })).toBeCloseTo(2 / 6);
  expect(computeSpanIoU({ start: 0, end: 2 }, { start: 4, end: 6 })).toBe(0);
  expect(computeSpanIoU(null, { start: 4, end: 6 })).toBe(0);
});
