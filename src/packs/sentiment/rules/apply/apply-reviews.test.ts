import { describe, expect, it } from "vitest";
import { proposal, sentiment, stage1, stage2 } from "../../../../../test/support/sentiment/turns.ts";
import { languageOf } from "../../../../knowledge/opinions/index.ts";
import type { Stage1 } from "../../schemas/stage1.ts";
import type { Stage2 } from "../../schemas/stage2.ts";
import { createAspectMatcher } from "../tuples/aspect-matcher.ts";
import { applyReviews } from "./apply-reviews.ts";

const text = "The food was great but the table service was slow";
const plain = { food: "positive", service: "negative" } as const;
const apply = (first: Stage1, second: Stage2 = stage2()) =>
  applyReviews({
    text,
    stage1: first,
    stage2: second,
    review_context: null,
    matcher: createAspectMatcher(text, ["food", "service"], languageOf("en")),
  });
const polarity = (result: ReturnType<typeof apply>, term: string) =>
  result.sentiments.find((one) => one.aspect_ref === term)?.polarity;

describe("validator proposals", () => {
  const propose = (first: Parameters<typeof stage1>[1], ...list: ReturnType<typeof proposal>[]) =>
    apply(stage1(text, first, { correction_proposals: list }));

  it("FLIP_POLARITY swaps positive and negative", () => {
    const result = propose(plain, proposal("food", "FLIP_POLARITY"));
    expect(polarity(result, "food")).toBe("negative");
    expect(result.corrections).toMatchObject([
      { proposal_type: "FLIP_POLARITY", target_aspect: "food", applied: true, resulting_polarity: "negative" },
    ]);
  });

  it.each([
    ["neutral", sentiment("food", "neutral"), "no_opposite_polarity"],
    ["missing", null, "no_sentiment"],
  ])("FLIP_POLARITY is refused on %s", (_name, value, reason) => {
    const result = propose({ food: value, service: "negative" }, proposal("food", "FLIP_POLARITY"));
    expect(result.corrections).toMatchObject([{ applied: false, reason }]);
  });

  it("DROP_ASPECT removes the aspect with its sentiments, and is not applied when nothing is there", () => {
    const result = propose(plain, proposal("food", "DROP_ASPECT"), proposal("food", "DROP_ASPECT"));
    expect(result.aspects.map((one) => one.term)).toEqual(["service"]);
    expect(result.corrections.map((one) => one.applied)).toEqual([true, false]);
  });

  it("REVISE_SPAN moves the aspect to other words, under which its sentiments are shown; they stay its own", () => {
    const start = text.indexOf("table service");
    const revised_span = { start, end: start + "table service".length };
    const result = propose(plain, proposal("service", "REVISE_SPAN", { revised_span }));
    expect(result.aspects.map((one) => one.term)).toContain("table service");
    expect([...result.names]).toEqual([["service", "table service"]]);
    expect(polarity(result, "service")).toBe("negative");
    expect(result.corrections).toMatchObject([{ applied: true, reason: "span_revised" }]);
  });

  it("REVISE_SPAN without a span is refused", () => {
    expect(propose(plain, proposal("food", "REVISE_SPAN")).corrections).toMatchObject([
      { applied: false, reason: "no_revised_span" },
    ]);
  });
});

describe("reviews", () => {
  it.each([
    ["ATE keep", { aspect_review: [{ term: "food", action: "keep" }] }, []],
    ["ATE drop", { aspect_review: [{ term: "food", action: "drop" }] }, [["DROP_ASPECT", true]]],
    ["ATE add", { aspect_review: [{ term: "table", action: "add" }] }, [["ADD_ASPECT", true]]],
    [
      "ATE revise_span without a span",
      { aspect_review: [{ term: "food", action: "revise_span" }] },
      [["REVISE_SPAN", false]],
    ],
    ["ATE on an unknown term", { aspect_review: [{ term: "wifi", action: "add" }] }, [["ADD_ASPECT", false]]],
    ["ATSA maintain", { sentiment_review: [{ aspect_ref: "food", action: "maintain" }] }, []],
    ["ATSA flip", { sentiment_review: [{ aspect_ref: "food", action: "flip_polarity" }] }, [["FLIP_POLARITY", true]]],
    ["ATSA drop", { sentiment_review: [{ aspect_ref: "food", action: "drop" }] }, [["DROP_SENTIMENT", true]]],
    [
      "ATSA add where there is one",
      { sentiment_review: [{ aspect_ref: "food", action: "add", revised_polarity: "negative" }] },
      [["ADD_SENTIMENT", false]],
    ],
    [
      "ATSA flip to what it is",
      { sentiment_review: [{ aspect_ref: "food", action: "flip_polarity", revised_polarity: "pos" }] },
      [["FLIP_POLARITY", false]],
    ],
    [
      "ATSA with an invalid polarity",
      { sentiment_review: [{ aspect_ref: "food", action: "flip_polarity", revised_polarity: "mixed" }] },
      [["FLIP_POLARITY", false]],
    ],
    ["an unknown action", { sentiment_review: [{ aspect_ref: "food", action: "soften" }] }, [["soften", false]]],
  ])("%s", (_name, reviews, expected) => {
    const { corrections } = apply(stage1(text, plain), stage2(reviews));
    expect(corrections.map((one) => [one.proposal_type, one.applied])).toEqual(expected);
  });

  it("ATSA adds a sentiment that Stage 1 left open", () => {
    const reviews = { sentiment_review: [{ aspect_ref: "food", action: "add", revised_polarity: "positive" }] };
    expect(polarity(apply(stage1(text, { food: null, service: "negative" }), stage2(reviews)), "food")).toBe(
      "positive",
    );
  });

  it("the order is validator, ATE, ATSA: what ATE dropped ATSA cannot flip", () => {
    const reviews = {
      aspect_review: [{ term: "food", action: "drop" }],
      sentiment_review: [{ aspect_ref: "food", action: "flip_polarity" }],
    };
    const first = stage1(text, plain, { correction_proposals: [proposal("food", "FLIP_POLARITY")] });
    expect(apply(first, stage2(reviews)).corrections.map((one) => [one.proposal_type, one.applied])).toEqual([
      ["FLIP_POLARITY", true],
      ["DROP_ASPECT", true],
      ["FLIP_POLARITY", false],
    ]);
  });
});
