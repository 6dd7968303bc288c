import { describe, expect, it } from "vitest";
import {
  caseOf,
  edit,
  judge,
  patch,
  patchDebate,
  proposal,
  risk,
  sentiment,
  stage1,
  stage2,
  stanceDebate,
  stanceTurn,
  turn,
  unanimous,
} from "../../../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "../../config.ts";
import { decideCase } from "../../decision.ts";
import { adopt, type AdoptInput, mapRefusal } from "./adopt.ts";

const text = "The food was great but the service was slow";
const evidence = { sentence_evidence_spans: ["food was great"] };
const decided = (...given: Parameters<typeof caseOf>) => decideCase(caseOf(...given), SentimentConfigSchema.parse({}));
const config = SentimentConfigSchema.parse({});
const input = (over: Partial<AdoptInput>): AdoptInput => ({
  stage1: [sentiment("food", "positive")],
  patched: [sentiment("food", "positive")],
  settled: [sentiment("food", "positive")],
  riskResolved: false,
  debateActed: false,
  overrideContradicted: false,
  gateReason: null,
  components: { debate_support: 1, validator_resolved: null, grounding_improvement: null, alignment_improvement: 0 },
  ...over,
});

describe("adoption, in order", () => {
  it("1 no list holds a sentiment → low_signal", () => {
    const given = input({
      stage1: [],
      patched: [sentiment("food", null)],
      settled: [],
      debateActed: true,
      gateReason: "neutral_only",
    });
    expect(adopt(given, config)).toMatchObject({ adopted: false, candidate: false, reason: "low_signal" });
  });
  it("2 risk_resolved", () => {
    expect(adopt(input({ riskResolved: true, debateActed: true }), config)).toMatchObject({
      adopted: true,
      reason: "risk_resolved",
    });
  });
  it("3 debate_action", () => {
    expect(adopt(input({ debateActed: true }), config)).toMatchObject({ adopted: true, reason: "debate_action" });
  });
  it("4 grounding_improved", () => {
    const given = input({ stage1: [sentiment("", "positive")] });
    expect(adopt(given, config)).toMatchObject({ adopted: true, reason: "grounding_improved" });
  });
  it.each([null, "l3_conservative", "neutral_only"] as const)(
    "5 otherwise the gate's reason (%s), else low_signal",
    (gateReason) => {
      expect(adopt(input({ gateReason }), config)).toMatchObject({
        adopted: false,
        candidate: false,
        reason: gateReason ?? "low_signal",
      });
    },
  );
  it("a candidate below the EV threshold → ev_below_threshold", () => {
    const components = {
      debate_support: 0.5,
      validator_resolved: null,
      grounding_improvement: null,
      alignment_improvement: 0,
    };
    expect(adopt(input({ debateActed: true, components }), config)).toMatchObject({
      adopted: false,
      candidate: true,
      reason: "ev_below_threshold",
    });
  });
  it("an override that the judge contradicts → conflict_blocked", () => {
    expect(adopt(input({ debateActed: true, overrideContradicted: true }), config).reason).toBe("conflict_blocked");
  });
});

it.each([
  ["ev_below_threshold", "low_ev"],
  ["low_signal", "low_ev"],
  ["max_one_override_per_sample", "low_ev"],
  ["neutral_only", "low_ev"],
  ["already_confident", "low_ev"],
  ["l3_conservative", "conflict"],
  ["conflict_blocked", "conflict"],
  ["action_ambiguity", "conflict"],
  ["implicit_soft_only", "conflict"],
  ["low_confidence", "conflict"],
  ["no_evidence_span", "no_evidence"],
  ["evidence_span_not_in_text", "no_evidence"],
  ["evidence_span_missing_trigger", "no_evidence"],
  ["contradictory_memory", "memory_contradiction"],
  ["debate_action", null],
])("%s maps to %s", (reason, expected) => expect(mapRefusal(reason)).toBe(expected));

describe("end to end", () => {
  const added = stage1(text, { food: "positive", service: null });

  it("a unanimous debate with evidence passes", () => {
    const { meta, final_result } = decided(
      text,
      added,
      patchDebate(text, unanimous({ service: "negative" }), judge({ food: "positive", service: "negative" }, evidence)),
    );
    expect(meta).toMatchObject({ adopt_decision: "adopted", ev_components: { debate_support: 1 } });
    expect(final_result.final_tuples.map((one) => one.aspect_ref)).toEqual(["food", "service"]);
  });

  it("a contested one does not", () => {
    const silent = stage1(text, { food: null });
    const turns = [
      turn("epm", edit("set_polarity", "food", "negative")),
      turn("tan", edit("set_polarity", "food", "negative")),
    ];
    const { meta } = decided(text, silent, patchDebate(text, turns, judge({ food: "positive" }, evidence)));
    expect(meta).toMatchObject({
      adopt_decision: "not_adopted",
      adopt_reason: "ev_below_threshold",
      ev_components: { debate_support: 0 },
    });
  });

  it("neutral and removal votes count against, and in the total", () => {
    const silent = stage1(text, { food: null });
    const turns = [turn("epm", edit("set_polarity", "food", "neutral")), turn("tan", edit("drop_tuple", "food"))];
    const debate = patchDebate(
      text,
      turns,
      judge(
        { food: "positive" },
        {
          ...evidence,
          final_patch: [patch("confirm_tuple", "food", "positive"), patch("set_polarity", "food", "positive")],
        },
      ),
    );
    expect(decided(text, silent, debate).meta.ev_components.debate_support).toBeCloseTo((1.6 - 1.3) / 2.9);
  });

  it("an aspect without an evidence span in the text counts 0", () => {
    const silent = stage1(text, { food: null });
    const debate = patchDebate(text, unanimous({ food: "positive" }), judge({ food: "positive" }));
    expect(decided(text, silent, debate).meta.ev_components.debate_support).toBe(0);
  });

  it("a review that changed the aspect otherwise counts 0.5 against", () => {
    const silent = stage1(text, { food: null });
    const review = stage2({ sentiment_review: [{ aspect_ref: "food", action: "add", revised_polarity: "negative" }] });
    const debate = patchDebate(text, unanimous({ food: "positive" }), judge({ food: "positive" }, { ...evidence }));
    expect(decided(text, silent, debate, review).meta.ev_components.debate_support).toBeCloseTo((2.3 - 0.5) / 2.8);
  });

  const flipRisk = (over: object = {}) =>
    stage1(
      text,
      { food: "negative" },
      {
        structural_risks: [risk("NEGATION", 4, 8)],
        correction_proposals: [proposal("food", "FLIP_POLARITY")],
        ...over,
      },
    );

  it("Stage 2 can be adopted without a debate when it resolves a risk", () => {
    const { meta, final_result } = decided(text, flipRisk(), null, stage2());
    expect(meta).toMatchObject({
      adopt_decision: "adopted",
      adopt_reason: "risk_resolved",
      ev_components: { validator_resolved: 1, debate_support: null },
    });
    expect(final_result.final_tuples).toMatchObject([{ aspect_ref: "food", polarity: "positive" }]);
  });

  it("a correction away from the risk's scope resolves nothing", () => {
    const first = flipRisk({ structural_risks: [risk("NEGATION", 30, 35)] });
    expect(decided(text, first, null, stage2()).meta).toMatchObject({
      adopt_decision: "not_adopted",
      ev_components: { validator_resolved: 0 },
    });
  });

  it("a Stage 2 change that the debate did not support is reverted and logged", () => {
    const first = stage1(text, { food: "positive", service: null });
    const review = stage2({
      sentiment_review: [{ aspect_ref: "food", action: "flip_polarity", revised_polarity: "negative" }],
    });
    const debate = patchDebate(
      text,
      unanimous({ service: "negative" }),
      judge({ food: "positive", service: "negative" }, evidence),
    );
    const { final_result, correction_applied_log, meta } = decided(text, first, debate, review);
    expect(meta.adopt_decision).toBe("adopted");
    expect(final_result.final_tuples.map((one) => one.polarity)).toEqual(["positive", "negative"]);
    expect(correction_applied_log).toContainEqual(
      expect.objectContaining({ target_aspect: "food", applied: false, reason: "reverted_unsupported" }),
    );
  });

  it("an override against the judge is blocked", () => {
    const turns = unanimous({ food: "negative" });
    turns[0]?.proposed_edits.push(edit("set_polarity", "food", "negative"));
    const debate = patchDebate(text, turns, judge({ food: "positive" }, { ...evidence, final_patch: [] }));
    expect(decided(text, stage1(text, { food: "positive" }), debate).meta).toMatchObject({
      gate_decision: "APPLY",
      adopt_reason: "conflict_blocked",
    });
  });

  it("stance style: adopted means the patched Stage 2 list", () => {
    const first = stage1(text, { food: sentiment("food", "negative", { confidence: 0.5 }) });
    const speeches = [stanceTurn("a", "pro", "the food", ["food was great"]), stanceTurn("b", "pro", "the food")];
    const summary = {
      winner: "a",
      consensus: "food is positive",
      key_agreements: [],
      key_disagreements: [],
      rationale: "",
    };
    const { meta, final_result } = decided(text, first, stanceDebate(text, speeches, summary));
    expect(meta).toMatchObject({ gate_decision: "APPLY", adopt_decision: "adopted", adopt_reason: "debate_action" });
    expect(final_result.final_tuples).toMatchObject([{ aspect_ref: "food", polarity: "positive" }]);
  });
});
