import { describe, expect, it } from "vitest";
import {
  caseOf,
  judge,
  patchDebate,
  stage1,
  stanceDebate,
  stanceTurn,
  unanimous,
} from "../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "./config.ts";
import { decideCase } from "./decision.ts";
import { measureAgreement } from "./measure/agreement.ts";
import { SentimentGoldSchema } from "./measure/gold.ts";
import { computeF1, matchTuples } from "./measure/match-tuples.ts";
import { measure, measureOutputs } from "./measure.ts";
import { computeRates } from "./measure/rates.ts";
import { tally } from "./measure/tally.ts";
import { findWarnings } from "./measure/warnings.ts";

const text = "The food was great but the service was slow";
const config = SentimentConfigSchema.parse({});
const said = (aspect_ref: string, polarity: "positive" | "negative" | "neutral") => ({ aspect_ref, polarity });
const wanted = (term: string, polarity: "positive" | "negative" | "neutral") => ({ term, polarity });
const fixed = decideCase(
  caseOf(
    text,
    stage1(text, { food: "positive", service: null }),
    patchDebate(
      text,
      unanimous({ service: "negative" }),
      judge({ food: "positive", service: "negative" }, { sentence_evidence_spans: ["was slow"] }),
    ),
  ),
  config,
);
const gold = SentimentGoldSchema.parse([
  { term: "food", polarity: "positive" },
  { term: "Service", polarity: "neg" },
]);

describe("matching", () => {
  it("is exact on term and polarity, without regard to case, outer punctuation and runs of spaces", () => {
    expect(matchTuples([said("Battery  life.", "positive")], [wanted("battery life", "positive")])).toEqual({
      tp: 1,
      fp: 0,
      fn: 0,
    });
    expect(matchTuples([said("battery", "positive")], [wanted("battery life", "positive")])).toEqual({
      tp: 0,
      fp: 1,
      fn: 1,
    });
  });
  it("gold without a term takes an unused tuple of its polarity, after the exact ones", () => {
    const list = [said("food", "positive"), said("place", "positive")];
    expect(matchTuples(list, [wanted("", "positive"), wanted("food", "positive")])).toEqual({ tp: 2, fp: 0, fn: 0 });
    expect(matchTuples([said("food", "positive")], [wanted("", "positive"), wanted("food", "positive")])).toEqual({
      tp: 1,
      fp: 0,
      fn: 1,
    });
  });
  it("nothing said where nothing was wanted is perfect", () => {
    expect(computeF1(matchTuples([], []))).toBe(1);
    expect(computeF1(matchTuples([said("a", "neutral")], []))).toBe(0);
  });
});

it("gold is read from aspects, gold_tuples or a list; a conflict is left out and a category is no term", () => {
  const tuples = [
    { aspect_term: "맛", aspect_ref: "음식#맛", polarity: "positive" },
    { term: null, polarity: "conflict" },
  ];
  for (const value of [tuples, { aspects: tuples, id: 3 }, { gold_tuples: tuples }])
    expect(SentimentGoldSchema.parse(value).tuples).toEqual([{ term: "맛", polarity: "positive" }]);
  expect(SentimentGoldSchema.safeParse([{ term: "a", polarity: "good" }]).success).toBe(false);
});

it("counts and rates of a case that the debate fixed", () => {
  const found = computeRates(tally(fixed, gold));
  expect(found).toMatchObject({
    tuple_f1_stage1: 2 / 3,
    tuple_f1_final: 1,
    tuple_recall_stage1: 0.5,
    aspect_term_f1_final: 1,
    polarity_accuracy: 1,
    n_fix: 1,
    n_break: 0,
    net_gain: 1,
    debate_mapping_coverage: 1,
    debate_override_applied: 1,
  });
  expect(measure.score(fixed, gold)).toMatchObject({ tuple_f1: 1, tuple_f1_stage1: 2 / 3 });
});

it("without gold the debate is still measured", () => {
  expect(computeRates(tally(fixed, null))).not.toHaveProperty("tuple_f1_final");
  expect(computeRates(tally(fixed, null)).adoption_rate).toBe(1);
});

it("who stood where, aspect by aspect", () => {
  const positions = measure.positions?.(fixed, []) ?? [];
  expect(positions).toContainEqual({ round: 0, role: "stage1", answer: "positive", item: "food" });
  expect(positions).toContainEqual({ round: 1, role: "tan", answer: "negative", item: "service" });
  expect(positions).toContainEqual({ round: 2, role: "judge", answer: "negative", item: "service" });
  expect(measure.isCorrect?.("negative", gold, "service")).toBe(true);
});

describe("warnings", () => {
  it.each([
    ["debate_mapping_coverage", 0.39, "warn"],
    ["debate_mapping_coverage", 0.24, "high"],
    ["debate_fail_no_match_rate", 0.41, "warn"],
    ["debate_fail_no_match_rate", 0.61, "high"],
    ["debate_fail_neutral_stance_rate", 0.41, "warn"],
    ["debate_fail_neutral_stance_rate", 0.61, "high"],
  ])("%s at %d → %s, with a tip", (metric, value, level) => {
    expect(findWarnings({ [metric]: value }, config.debate_thresholds)).toMatchObject([
      { metric, level, tip: expect.stringMatching(/.{20}/) },
    ]);
  });
  it("nothing to warn of", () => {
    const fine = {
      debate_mapping_coverage: 0.4,
      debate_fail_no_match_rate: 0.4,
      debate_fail_neutral_stance_rate: null,
    };
    expect(findWarnings(fine, config.debate_thresholds)).toEqual([]);
  });
});

it("mapping rates come from real turns", () => {
  const speeches = [
    stanceTurn("a", "pro", "the food"),
    stanceTurn("b", "neutral", "well"),
    stanceTurn("c", "con", "hm"),
  ];
  const output = decideCase(
    caseOf(text, stage1(text, { food: "positive" }), stanceDebate(text, speeches, null)),
    config,
  );
  expect(computeRates(tally(output, null))).toMatchObject({
    debate_mapping_coverage: 1 / 3,
    debate_mapping_none_rate: 2 / 3,
    debate_fail_neutral_stance_rate: 1 / 3,
    debate_fail_no_match_rate: 1 / 3,
  });
});

it("tuple agreement across seeds", () => {
  const run = (...tuples: ReturnType<typeof said>[]) =>
    new Map([
      ["t1", tuples],
      ["t2", []],
    ]);
  expect(measureAgreement([run(said("a", "positive")), run(said("A", "positive"))])).toBe(1);
  expect(measureAgreement([run(said("a", "positive")), run(said("a", "negative"))])).toBe(0.5);
  expect(measureAgreement([run()])).toBeNull();
});

it("measures a set of outputs, with gold for some of them", () => {
  const other = { ...fixed, meta: { ...fixed.meta, text_id: "t2" } };
  const tuples = [
    { term: "food", polarity: "positive" },
    { term: "service", polarity: "negative" },
  ];
  const { rates, warnings } = measureOutputs([fixed, other], {
    gold: { t1: { gold_tuples: tuples } },
    thresholds: { no_match_warn: -1 },
  });
  expect(rates).toMatchObject({ tuple_f1_final: 1, n_fix: 1, debate_override_applied: 2 });
  expect(warnings).toMatchObject([{ metric: "debate_fail_no_match_rate", level: "warn" }]);
});
