/** Each of the moderator's seven rules fires inside the whole path from turns to output (sentiment spec §8). */
import { expect, it } from "vitest";
import {
  aspect,
  caseOf,
  judge,
  patchDebate,
  proposal,
  risk,
  sentiment,
  stage1,
  unanimous,
} from "../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "./config.ts";
import { decideCase } from "./decision.ts";

const text = "The food was great but the service was slow";
const config = SentimentConfigSchema.parse({});
const moderated = (...given: Parameters<typeof caseOf>) => decideCase(caseOf(...given), config).moderator;
const evidence = { sentence_evidence_spans: ["food was great"] };

it("Rule Z: nothing was stated", () => {
  expect(moderated(text, stage1(text, { food: null }))).toMatchObject({
    final_label: "neutral",
    applied_rules: ["RuleZ"],
  });
});

it("Rule B: an adopted Stage 2 is preferred", () => {
  const first = stage1(text, { food: null, service: "negative" });
  const both = { food: "negative", service: "negative" } as const;
  const result = moderated(text, first, patchDebate(text, unanimous(both), judge(both, evidence)));
  expect(result).toMatchObject({
    selected_stage: "stage2",
    rationale: expect.stringContaining("RuleB: Stage2 preferred."),
  });
});

it("Rule M: an adopted flip makes the sentence mixed", () => {
  const first = stage1(text, { food: "negative" });
  const flipped = { food: "positive" } as const;
  const result = moderated(text, first, patchDebate(text, unanimous(flipped), judge(flipped, evidence)));
  expect(result).toMatchObject({ applied_rules: expect.arrayContaining(["RuleM"]), confidence: 0.8 });
});

it("Rule C: a flip that the Validator demands under a negation is its veto, also when it was not adopted", () => {
  const first = stage1(
    text,
    { food: "positive" },
    {
      structural_risks: [risk("NEGATION", 0, 4, "high")],
      correction_proposals: [proposal("food", "FLIP_POLARITY")],
    },
  );
  expect(moderated(text, first)).toMatchObject({
    final_label: "negative",
    applied_rules: expect.arrayContaining(["RuleC"]),
    arbiter_flags: { validator_override_applied: true },
  });
});

it("Rule A: the spans of Stage 1 align with themselves", () => {
  const first = stage1(text, {
    food: sentiment("food", "positive", { confidence: 0.9 }),
    service: sentiment("service", "positive", { confidence: 0.5 }),
  });
  const result = moderated(text, { ...first, aspects: [aspect(text, "food"), aspect(text, "service")] });
  expect(result?.applied_rules).toContain("RuleA");
  expect(result?.confidence).toBeCloseTo((0.7 + 0.9) / 2);
});

it("Rule D: one confident aspect against the sentence", () => {
  const list = {
    food: sentiment("food", "positive", { confidence: 0.5 }),
    service: sentiment("service", "negative", { confidence: 0.95 }),
  };
  const result = moderated(text, stage1(text, { ...list, great: sentiment("great", "positive", { confidence: 0.6 }) }));
  expect(result?.applied_rules).toContain("RuleD");
});

it("Rule E: the debate decides a mixed sentence", () => {
  const first = stage1(text, { food: "positive", service: "negative" });
  const summary = judge({ food: "positive", service: "negative" }, { ...evidence, sentence_polarity: "negative" });
  expect(moderated(text, first, patchDebate(text, [], summary))).toMatchObject({
    final_label: "negative",
    rule_e_fired: true,
    applied_rules: expect.arrayContaining(["RuleE"]),
  });
});
