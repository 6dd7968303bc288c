import { describe, expect, it } from "vitest";
import { caseOf, edit, judge, patch, patchDebate, stage1, turn } from "../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "./config.ts";
import { decideCase } from "./decision.ts";
import type { PatchSummary, PatchTurn } from "./schemas/debate.ts";
import type { Stage1 } from "./schemas/stage1.ts";

const text = "The screen was bright but the stand wobbled";
const spans = { sentence_evidence_spans: ["screen was bright"] };
const config = SentimentConfigSchema.parse({ debate_override: { profile: "t1" } });
const decide = (first: Stage1, turns: PatchTurn[], summary: PatchSummary, settings = config) =>
  decideCase(caseOf(text, first, patchDebate(text, turns, summary)), settings);
const show = ({ final_result }: ReturnType<typeof decide>) =>
  final_result.final_tuples.map((tuple) => `${tuple.aspect_ref} ${tuple.polarity}`);
const quoted = (aspect: string, polarity: string, evidence: string, confidence = 0.9) =>
  edit("set_polarity", aspect, polarity, { evidence, confidence });

describe("one voice is one voice", () => {
  const stand = stage1(text, { stand: "negative" });
  const summary = judge({ screen: "positive", stand: "negative" }, spans);
  const own = quoted("screen", "positive", "screen was bright");

  it("an addition that each speaker backs in words of its own is taken up", () => {
    const turns = [
      turn("epm", own),
      turn("tan", quoted("screen", "positive", "bright")),
      turn("cj", edit("confirm_tuple", "screen", "positive")),
    ];
    expect(show(decide(stand, turns, summary))).toEqual(["screen positive", "stand negative"]);
  });

  it("a turn repeated word for word under other names backs nothing", () => {
    const output = decide(stand, [turn("epm", own), turn("tan", own), turn("cj", own)], summary);
    expect(show(output)).toEqual(["stand negative"]);
    expect(output.review_context?.aspect_hints.screen?.map((hint) => hint.speaker)).toEqual(["EPM", "judge"]);
  });

  it("a speaker who says the same in every round has one vote", () => {
    const output = decide(stand, [turn("epm", own), turn("epm", own), turn("epm", own)], summary);
    expect(output.review_context?.aspect_hints.screen?.map((hint) => hint.speaker)).toEqual(["EPM", "judge"]);
  });
});

describe("a judge that renames an aspect while its tuples keep the old name", () => {
  const rename = [patch("set_aspect_ref", "screen", null, "bright")];
  const turns = ["epm", "tan", "cj"].map((speaker) => turn(speaker, edit("confirm_tuple", "screen", "positive")));

  it.each([
    ["the old name only", { screen: "positive" }],
    ["both names", { screen: "positive", bright: "positive" }],
  ] as const)("its tuples win when they have %s: no move, no second tuple", (_, tuples) => {
    const backed = turns.map((one) => ({
      ...one,
      proposed_edits: [...one.proposed_edits, edit("confirm_tuple", "bright", "positive")],
    }));
    const summary = judge(tuples, { ...spans, final_patch: rename });
    expect(show(decide(stage1(text, { screen: "positive" }), backed, summary))).toEqual(["screen positive"]);
  });

  it("tuples with the new name alone confirm the rename", () => {
    const summary = judge({ bright: "positive" }, { ...spans, final_patch: rename });
    expect(show(decide(stage1(text, { screen: "positive" }), turns, summary))).toEqual(["bright positive"]);
  });
});

describe("where Stage 1 found nothing", () => {
  const nothing = stage1(text, {});
  const summary = judge({ screen: "positive", stand: "negative" }, { ...spans, final_patch: [] });

  it("a clear judge does not end empty, with nobody else behind it: its first tuple stands", () => {
    expect(show(decide(nothing, [], summary))).toEqual(["screen positive"]);
  });

  it("of the judge's tuples the one that most speakers back stands", () => {
    const turns = [
      turn("epm", quoted("stand", "negative", "stand wobbled")),
      turn("cj", edit("confirm_tuple", "stand", "negative")),
      turn("tan", edit("confirm_tuple", "screen", "positive")),
    ];
    expect(show(decide(nothing, turns, summary))).toEqual(["stand negative"]);
  });

  it("settle.max_additions_when_empty says how many", () => {
    const two = SentimentConfigSchema.parse({ settle: { max_additions_when_empty: 2 } });
    expect(show(decide(nothing, [], summary, two))).toEqual(["screen positive", "stand negative"]);
    const none = SentimentConfigSchema.parse({ settle: { max_additions_when_empty: 0 } });
    expect(show(decide(nothing, [], summary, none))).toEqual([]);
  });
});
