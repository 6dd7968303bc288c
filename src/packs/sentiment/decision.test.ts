import { describe, expect, it } from "vitest";
import { both, recorded, text, tuples } from "../../../test/support/sentiment/recorded-case.ts";
import { hasCode } from "../../contract/error.ts";
import { decide, type RecordedCase } from "./decide.ts";

it("takes the documented shape", () => {
  const output = decide(recorded());
  expect(tuples(recorded())).toEqual(both);
  expect(output.meta).toMatchObject({ text_id: "r1", adopt_decision: "adopted", input_problems: {} });
});

describe("what cannot be used is struck and counted", () => {
  const withEdit = (edit: unknown) => ({
    ...recorded(),
    debate: { ...recorded().debate, turns: [{ agent: "EPM", proposed_edits: [edit] }], rounds: undefined },
  });
  const rows: [string, RecordedCase, string][] = [
    ["an op outside the enum", withEdit({ op: "rewrite", target: { aspect_ref: "포장" } }), "unknown_op"],
    ["an unknown aspect", withEdit({ op: "drop_tuple", target: { aspect_ref: "와이파이" } }), "unknown_aspect"],
    [
      "evidence outside the text",
      withEdit({ op: "drop_tuple", target: { aspect_ref: "포장" }, evidence: "최고" }),
      "evidence_not_in_text",
    ],
    ["an edit that is not an object", withEdit("drop it"), "item_unreadable"],
    [
      "an aspect outside the text",
      { ...recorded(), stage1: { aspects: [{ term: "와이파이" }] } },
      "aspect_not_substring",
    ],
    [
      "a polarity outside the canon",
      { ...recorded(), stage1: { aspects: ["배송"], aspect_sentiments: [{ aspect_ref: "배송", polarity: "mixed" }] } },
      "polarity_invalid",
    ],
    [
      "a review without a target",
      { ...recorded(), stage2: { sentiment_review: [{ action: "drop" }] } },
      "review_without_target",
    ],
    ["a language that is not supported", { ...recorded(), language_code: "fr" }, "language_unsupported"],
  ];
  it.each(rows)("%s", (_name, given, code) => {
    expect(decide(given).meta.input_problems).toHaveProperty(code, expect.any(Number));
  });

  it("nothing recorded at all is a decision without tuples", () => {
    for (const stage1 of [undefined, null, {}, [], "junk", 3])
      expect(decide({ text, stage1, debate: stage1, stage2: stage1 }).final_result).toMatchObject({
        final_tuples: [],
        label: "neutral",
      });
  });
});

it("three speakers under one name are told apart by the order", () => {
  const given = recorded() as unknown as {
    debate: { rounds: { turns: { agent: string; proposed_edits: unknown[] }[] }[] };
  };
  for (const turn of given.debate.rounds[0]?.turns ?? []) turn.agent = "EPM";
  const silent = given.debate.rounds[0]?.turns[1];
  if (silent) silent.proposed_edits = [];
  const { debate, settlements } = decide(given as unknown as RecordedCase);
  expect(debate?.rounds[0]?.turns.map((turn) => turn.speaker)).toEqual(["epm", "tan", "cj"]);
  expect(settlements.find((one) => one.aspect === "포장")?.reason).toBe("addition_refused");
});

it("a confirmation without a polarity confirms what the tuple has", () => {
  const given = recorded() as unknown as {
    debate: { turns?: object[]; rounds?: object; summary: { final_patch: object[] } };
  };
  given.debate.rounds = undefined;
  given.debate.turns = [
    {
      agent: "EPM",
      proposed_edits: [
        { op: "confirm_tuple", target: { aspect_term: "배송" } },
        { op: "confirm_tuple", target: { aspect_term: "포장" } },
      ],
    },
  ];
  given.debate.summary.final_patch = [{ op: "confirm_tuple", target: { aspect_term: "포장" } }];
  const { review_context, meta } = decide(given as unknown as RecordedCase);
  expect(review_context?.aspect_hints.배송).toMatchObject([{ speaker: "EPM", polarity_hint: "positive" }]);
  expect(review_context?.aspect_hints.포장).toMatchObject([{ speaker: "judge", polarity_hint: "negative" }]);
  expect(review_context?.invalid_hint_count.포장).toBe(1);
  expect(meta.input_problems).toMatchObject({ confirmed_polarity_read_from_tuple: 2 });
});

it("an evidence span outside the text gives way to one in it", () => {
  const given = recorded() as unknown as { debate: { summary: { aspect_evidence: object } } };
  given.debate.summary.aspect_evidence = { 포장: "박스가 찢어짐" };
  expect(decide(given as unknown as RecordedCase).override_gate.find((one) => one.aspect === "포장")).toMatchObject({
    decision: "APPLY",
    evidence: "포장이 엉망이라",
  });
});

it("an implicit tuple of the judge has the votes that name no aspect behind it", () => {
  const text = "정말 만족합니다";
  const edit = { op: "set_polarity", target: { aspect_term: null }, value: "positive" };
  const debate = {
    turns: ["EPM", "TAN", "CJ"].map((agent) => ({ agent, proposed_edits: [edit] })),
    summary: { final_tuples: [{ aspect_term: "", polarity: "positive" }], sentence_evidence_spans: ["만족합니다"] },
  };
  expect(decide({ text, stage1: {}, debate })).toMatchObject({
    meta: { adopt_decision: "adopted" },
    final_result: { final_tuples: [{ aspect_ref: "", polarity: "positive" }] },
  });
});

it("reviews that all lost their target do not fall on the implicit sentiment", () => {
  const stage1 = { aspect_sentiments: [{ aspect_ref: "", polarity: "positive", confidence: 0.9 }] };
  const stage2 = { sentiment_review: [{ aspect_term: "", action: "flip_polarity", revised_polarity: "negative" }] };
  expect(decide({ text, stage1, stage2 }).correction_applied_log).toEqual([]);
});

it("an empty text and a wrong config are clear errors", () => {
  const fail = (given: Partial<RecordedCase>) => {
    try {
      decide({ ...recorded(), ...given });
    } catch (error) {
      return error;
    }
    return null;
  };
  expect(hasCode(fail({ text: " " }), "bad_input")).toBe(true);
  expect(hasCode(fail({ config: { debate_override: { profil: "t1" } } }), "bad_config")).toBe(true);
});

it("words of the text may be names of object properties", () => {
  const text = "The constructor toString was great and __proto__ too";
  const aspects = ["constructor", "toString", "__proto__"];
  const edits = aspects.map((term) => ({ op: "confirm_tuple", target: { aspect_ref: term, polarity: "positive" } }));
  const debate = {
    turns: [{ agent: "EPM", proposed_edits: edits }],
    summary: {
      final_tuples: aspects.map((aspect_ref) => ({ aspect_ref, polarity: "positive" })),
      sentence_evidence_spans: ["was great"],
    },
  };
  const config = { settle: { max_additions_when_empty: 3 } };
  expect(
    decide({ text, stage1: { aspects }, debate, config }).final_result.final_tuples.map((one) => one.aspect_ref),
  ).toEqual(aspects);
});
