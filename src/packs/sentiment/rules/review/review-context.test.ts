import { describe, expect, it } from "vitest";
import {
  edit,
  judge,
  patch,
  patchDebate,
  sentiment,
  stage1,
  stanceDebate,
  stanceTurn,
  turn,
} from "../../../../../test/support/sentiment/turns.ts";
import { languageOf } from "../../../../knowledge/opinions/index.ts";
import type { Edit } from "../../schemas/debate.ts";
import type { DebateOutput } from "../../schemas/debate-output.ts";
import { buildReviewContext } from "./review-context.ts";

const text = "배송은 빨랐지만 포장이 엉망이에요";
const first = stage1(text, { 배송: "positive", 포장: sentiment("포장", "negative", { confidence: 0.6 }) });
const contextOf = (debate: DebateOutput, given = first) =>
  buildReviewContext({ text, language: languageOf("ko"), stage1: given, debate });
const hintsOf = (one: Edit) => contextOf(patchDebate(text, [turn("epm", one)], null)).aspect_hints.포장 ?? [];

describe("patch style: the weight of an edit", () => {
  it.each([
    ["set_polarity", edit("set_polarity", "포장", "positive"), 0.5, "positive", false],
    ["confirm_tuple", edit("confirm_tuple", "포장", "negative"), 0.5, "negative", false],
    ["merge_tuples with a polarity", edit("merge_tuples", "포장", "negative"), 0.5, "negative", false],
    ["merge_tuples without one", edit("merge_tuples", "포장", null, { value: "배송" }), 0, null, false],
    ["set_aspect_ref", edit("set_aspect_ref", "포장", null, { value: "배송" }), 0, null, false],
    ["drop_tuple: a removal vote, no vote for negative", edit("drop_tuple", "포장", "negative"), 0.8, null, true],
  ])("%s", (_name, one, weight, polarity, removal) => {
    expect(hintsOf(one)).toMatchObject([{ weight, polarity_hint: polarity, removal, speaker: "EPM", stance: "patch" }]);
  });

  it.each([
    ["confirm_tuple", patch("confirm_tuple", "포장", "negative"), "negative", false],
    ["set_polarity", patch("set_polarity", "포장", "positive"), "positive", false],
    ["drop_tuple", patch("drop_tuple", "포장"), null, true],
  ])("judge %s weighs 0.8", (_name, one, polarity, removal) => {
    const context = contextOf(patchDebate(text, [], judge({}, { final_patch: [one] })));
    expect(context.aspect_hints.포장).toMatchObject([
      { weight: 0.8, polarity_hint: polarity, removal, speaker: "judge" },
    ]);
  });

  it("an invalid polarity is left out and counted", () => {
    const context = contextOf(patchDebate(text, [turn("epm", edit("set_polarity", "포장", "mixed"))], null));
    expect(context.aspect_hints.포장).toEqual([]);
    expect(context.invalid_hint_count.포장).toBe(1);
  });

  it("provenance names speaker and stance", () => {
    expect(hintsOf(edit("confirm_tuple", "포장", "neg"))[0]?.provenance_hint).toBe("source:EPM/patch");
  });
});

describe("stance style", () => {
  const summary = { winner: null, consensus: null, key_agreements: [], key_disagreements: [], rationale: "" };
  it.each([
    ["neutral", 0.6, "neutral"],
    ["pro", 1, "positive"],
    ["con", 1, "negative"],
    ["devil", 0.8, "neutral"],
  ])("stance %s weighs %d for %s", (stance, weight, polarity) => {
    const debate = stanceDebate(text, [stanceTurn("x", stance, "포장을 보세요")], summary);
    expect(contextOf(debate).aspect_hints.포장).toMatchObject([{ weight, polarity_hint: polarity }]);
  });

  const speeches = [stanceTurn("a", "pro", "배송이 좋아요"), stanceTurn("b", "con", "포장이 문제예요")];

  it("the judge adds 0.8 to each aspect it names, by Rule E's keywords", () => {
    const judged = { ...summary, consensus: "포장은 부정적이다" };
    const hints = contextOf(stanceDebate(text, speeches, judged)).aspect_hints;
    expect(hints.포장?.at(-1)).toMatchObject({ speaker: "judge", weight: 0.8, polarity_hint: "negative" });
    expect(hints.배송).toHaveLength(1);
  });

  it("a judge that names no aspect votes on all that were discussed", () => {
    const hints = contextOf(stanceDebate(text, speeches, { ...summary, consensus: "긍정" })).aspect_hints;
    expect([hints.배송?.at(-1)?.polarity_hint, hints.포장?.at(-1)?.polarity_hint]).toEqual(["positive", "positive"]);
  });
});

describe("mapping", () => {
  const speak = (stance: string, message: string, given = first) =>
    contextOf(stanceDebate(text, [stanceTurn("x", stance, message)], null), given);

  it("direct: a synonym in the speech is enough", () => {
    const context = buildReviewContext({
      text: "가격이 비싸요",
      language: languageOf("ko"),
      stage1: stage1("가격이 비싸요", { 가격: "negative" }),
      debate: stanceDebate(text, [stanceTurn("x", "con", "비용이 큽니다")], null),
    });
    expect(context.mapping_stats).toEqual({ direct: 1, fallback: 0, none: 0 });
    expect(context.synonym_hints.가격).toContain("비용");
  });

  it("fallback_used: the most confident Stage 1 sentiment of the turn's polarity", () => {
    const context = speak("con", "실망입니다");
    expect(context.mapping_stats.fallback).toBe(1);
    expect(context.mapping_fail_reasons.fallback_used).toBe(1);
    expect(context.aspect_hints.포장).toMatchObject([{ polarity_hint: "negative" }]);
  });

  it("no_match: no sentiment of the turn's polarity", () => {
    expect(speak("con", "실망입니다", stage1(text, { 배송: "positive" })).mapping_fail_reasons.no_match).toBe(1);
  });

  it("neutral_stance: a neutral turn with nothing matched", () => {
    expect(speak("neutral", "글쎄요").mapping_fail_reasons.neutral_stance).toBe(1);
  });

  it("a patch turn that proposes nothing is neither a neutral stance nor a mapping that failed", () => {
    const spoken = turn("epm", edit("confirm_tuple", "포장", "negative"));
    const context = contextOf(patchDebate(text, [spoken, turn("tan")], null));
    expect(context.rebuttal_points.map((point) => point.mapping_fail_reason)).toEqual([null, null]);
    expect(context.mapping_stats).toEqual({ direct: 1, fallback: 0, none: 0 });
    expect(context.mapping_fail_reasons.neutral_stance).toBe(0);
  });

  it("no_aspects: Stage 1 found none", () => {
    expect(speak("con", "실망입니다", stage1(text, {})).mapping_fail_reasons.no_aspects).toBe(1);
  });
});
