/** The faults of an earlier implementation (sentiment spec §11), each kept out by a test. */
import { expect, it } from "vitest";
import {
  caseOf,
  edit,
  judge,
  patch,
  patchDebate,
  risk,
  sentiment,
  stage1,
  stage2,
  turn,
  unanimous,
} from "../../../test/support/sentiment/turns.ts";
import { listGateDebugLines, summariseGate, toGateSample } from "./show/gate-debug.ts";
import { buildArtifacts } from "./show/artifacts.ts";
import { SentimentConfigSchema } from "./config.ts";
import { decide } from "./decide.ts";
import { decideCase } from "./decision.ts";

const text = "The food was great but the service was slow";
const config = SentimentConfigSchema.parse({});
const evidence = { sentence_evidence_spans: ["food was great"] };
const run = (...given: Parameters<typeof caseOf>) => decideCase(caseOf(...given), config);
const tuples = (output: ReturnType<typeof run>) =>
  output.final_result.final_tuples.map((one) => `${one.aspect_ref} ${one.polarity}`);

it("positive hints are not lost in canonicalisation: an override can go positive", () => {
  const output = run(
    text,
    stage1(text, { food: "negative" }),
    patchDebate(text, unanimous({ food: "positive" }), judge({ food: "positive" }, evidence)),
  );
  expect(output.override_gate).toMatchObject([
    { decision: "APPLY", target_pol: "positive", pos_score: 2.3, neg_score: 0 },
  ]);
});

it("drop_tuple is not a vote for negative", () => {
  const turns = ["epm", "tan", "cj"].map((speaker) => turn(speaker, edit("drop_tuple", "food", "positive")));
  const output = run(
    text,
    stage1(text, { food: "positive" }),
    patchDebate(text, turns, judge({}, { ...evidence, final_patch: [patch("drop_tuple", "food")] })),
  );
  expect(output.override_gate).toMatchObject([{ neg_score: 0, skip_reason: "neutral_only" }]);
});

it("neither an override nor the judge's polarities are written into a result that was not adopted", () => {
  const turns = unanimous({ food: "negative" });
  turns[0]?.proposed_edits.push(edit("set_polarity", "food", "negative"));
  const summary = judge({ food: "positive", service: "positive" }, { ...evidence, final_patch: [] });
  const output = run(text, stage1(text, { food: "positive", service: "negative" }), patchDebate(text, turns, summary));
  expect(output.meta).toMatchObject({ gate_decision: "APPLY", adopt_decision: "not_adopted" });
  expect(tuples(output)).toEqual(["food positive", "service negative"]);
});

it("the judge's drops are executed", () => {
  const turns = ["epm", "tan", "cj"].map((speaker) => turn(speaker, edit("drop_tuple", "service")));
  const summary = judge({ food: "positive" }, { ...evidence, final_patch: [patch("drop_tuple", "service")] });
  expect(
    tuples(run(text, stage1(text, { food: "positive", service: "negative" }), patchDebate(text, turns, summary))),
  ).toEqual(["food positive"]);
});

it("a missing sentiment is not back-filled as a neutral tuple, also when a recording did so", () => {
  const output = decide({
    text,
    stage1: {
      aspects: ["food", "service"],
      aspect_sentiments: [
        { aspect_term: { term: "food" }, polarity: "positive", confidence: 0.9 },
        { aspect_term: { term: "service" }, polarity: "neutral", confidence: 0.5, evidence: text, is_backfilled: true },
      ],
    },
  });
  expect(tuples(output)).toEqual(["food positive"]);
  expect(output.final_result.mentions).toEqual(["service"]);
});

it("the language travels with the example: Korean is matched with Korean particles and synonyms", () => {
  const korean = "가격은 비싸지만 포장은 좋아요";
  const debate = {
    turns: [
      {
        agent: "EPM",
        proposed_edits: [{ op: "confirm_tuple", target: { aspect_ref: "비용이", polarity: "negative" } }],
      },
    ],
  };
  for (const language_code of ["ko", undefined]) {
    const output = decide({ text: korean, language_code, stage1: { aspects: ["가격", "포장"] }, debate });
    expect(output.meta.language_code).toBe("ko");
    expect(output.review_context?.aspect_hints.가격).toHaveLength(1);
  }
});

it("a review keyed by aspect_ref and one keyed by aspect_term reach the same target", () => {
  for (const key of ["aspect_ref", "aspect_term"]) {
    const sentiment_review = [{ [key]: "food", action: "flip_polarity", revised_polarity: "negative" }];
    const output = decide({
      text,
      stage1: { aspect_sentiments: [{ aspect_ref: "food", polarity: "positive" }] },
      stage2: { sentiment_review },
    });
    expect(output.correction_applied_log).toMatchObject([{ target_aspect: "food", applied: true }]);
  }
});

it("the Stage 2 validator has risks of its own: the clear rate is not always 1", () => {
  const validation = {
    final_validation: { resolved_risks: [], remaining_risks: ["CONTRAST"], final_consistency_score: 0.4 },
    structural_risks: [risk("CONTRAST", 0, 4)],
  };
  const output = run(
    text,
    stage1(text, { food: "positive" }, { structural_risks: [risk("CONTRAST", 0, 4)] }),
    null,
    stage2({}, validation),
  );
  expect([output.stage1_validator.structural_risk_count, output.stage2_validator?.structural_risk_count]).toEqual([
    1, 1,
  ]);
});

it("the summary counts aspects only, not the EV lines beside them", () => {
  const output = run(
    text,
    stage1(text, { food: "positive", service: "negative" }),
    patchDebate(text, unanimous({ food: "positive" }), judge({ service: "negative" }, evidence)),
  );
  expect(listGateDebugLines(output)).toHaveLength(3);
  const summary = summariseGate([toGateSample(output)]);
  expect(summary).toMatchObject({ n_aspects: 2, decision_applied_n: 0, decision_skip_n: 2 });
  expect(Object.values(summary.skip_reason_rate).reduce((a, b) => a + b, 0)).toBeCloseTo(1);
});

it("the files of a run are made afresh: making them twice gives the same bytes", () => {
  const outputs = [run(text, stage1(text, { food: sentiment("food", "positive") }))];
  const [first, second] = [buildArtifacts(outputs), buildArtifacts(outputs)];
  expect(second).toEqual(first);
  expect(
    first
      .find((one) => one.name === "override_gate_debug.jsonl")
      ?.content.split("\n")
      .filter(Boolean),
  ).toHaveLength(1);
});
