import { describe, expect, it } from "vitest";
import { agreeingScript, playScript } from "../../../test/support/sentiment/play.ts";
import { caseOf, edit, judge, patch, patchDebate, risk, stage1, turn } from "../../../test/support/sentiment/turns.ts";
import { SentimentConfigSchema } from "./config.ts";
import { decideCase } from "./decision.ts";
import { DebatePersonaSchema, DebateSummarySchema, DebateTurnSchema, defaultPersonas } from "./index.ts";
import type { PatchSummary, PatchTurn } from "./schemas/debate.ts";
import type { Stage1 } from "./schemas/stage1.ts";

const text = "The food was great but the service was slow";
const spans = { sentence_evidence_spans: ["service was slow"] };
const config = SentimentConfigSchema.parse({});
const run = (first: Stage1, turns: PatchTurn[], summary: PatchSummary) =>
  decideCase(caseOf(text, first, patchDebate(text, turns, summary)), config);
const flip = judge({ service: "negative" }, { ...spans, final_patch: [patch("set_polarity", "service", "negative")] });
const two = ["epm", "cj"].map((speaker) => turn(speaker, edit("set_polarity", "service", "negative")));

it("debate_override_stats carry the EV score, its parts, and whether it was adopted", () => {
  const { meta } = run(stage1(text, { service: "positive" }), two, flip);
  expect(meta.debate_override_stats).toMatchObject({
    applied: 1,
    ev_score: meta.ev_score,
    ev_adopted: true,
    ev_components: meta.ev_components,
  });
});

describe("adopt_reason is the gate's reason when that is why nothing changed", () => {
  const risky = stage1(text, { service: "positive" }, { structural_risks: [risk("CONTRAST", 0, 4)] });
  const rows: [string, Stage1, PatchTurn[], PatchSummary][] = [
    ["l3_conservative", risky, two, flip],
    ["no_evidence_span", stage1(text, { service: "positive" }), two, { ...flip, sentence_evidence_spans: [] }],
    ["low_signal", stage1(text, { service: "positive" }), [], flip],
  ];
  it.each(rows)("%s", (reason, first, turns, summary) => {
    const { meta, final_result } = run(first, turns, summary);
    expect(final_result.final_tuples).toEqual(final_result.stage1_tuples);
    expect(meta).toMatchObject({ adopt_decision: "not_adopted", adopt_reason: reason });
  });
});

it("a vote to drop a tuple of one polarity is no vote against a tuple of another", () => {
  const dropped = turn("epm", edit("drop_tuple", "service", "neutral"));
  const { final_result } = run(stage1(text, { service: null }), [dropped], judge({ service: "negative" }, spans));
  expect(final_result.final_tuples.map((tuple) => tuple.polarity)).toEqual(["negative"]);
});

it("a merge that names a polarity votes for the aspect it merges into", () => {
  const merge = (speaker: string) => turn(speaker, edit("merge_tuples", "food", "negative", { value: "service" }));
  const summary = judge(
    { service: "negative" },
    { ...spans, final_patch: [patch("merge_tuples", "food", null, "service")] },
  );
  const { override_gate } = run(stage1(text, { food: "positive" }), [merge("epm"), merge("cj")], summary);
  expect(override_gate.map(({ aspect, neg_score }) => [aspect, neg_score])).toEqual([["service", 1]]);
});

it("what is struck of a salvaged turn is counted, and told of its speaker", async () => {
  const lying = {
    agent: null,
    proposed_edits: [
      edit("set_polarity", "service", "negative", { evidence: "awful" }),
      edit("set_polarity", "wifi", "negative"),
    ],
  };
  const reviewing = {
    sentiment_review: [{ aspect_ref: "wifi", action: "drop", revised_polarity: null, reason: "", provenance: null }],
  };
  const { decision } = await playScript(
    {},
    agreeingScript({ epm: [lying, lying], atsa_review: [reviewing, reviewing] }),
  );
  expect(decision.meta.input_problems).toMatchObject({ evidence_not_in_text: 1, unknown_aspect: 2 });
  expect(decision.debate?.strikes).toEqual([
    { speaker: "epm", round: 1, code: "unknown_aspect", what: "wifi" },
    { speaker: "epm", round: 1, code: "evidence_not_in_text", what: "awful" },
  ]);
});

it("personas, turns and summaries have schemas under their names", () => {
  expect(DebatePersonaSchema.parse(defaultPersonas.patch.epm)).toEqual(defaultPersonas.patch.epm);
  expect(DebateTurnSchema.parse(two[0])).toEqual(two[0]);
  expect(DebateSummarySchema.parse(flip)).toEqual(flip);
});
