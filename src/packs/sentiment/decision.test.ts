import { describe, expect, it } from "vitest";
import { hasCode } from "../../contract/error.ts";
import { decide, type RecordedCase } from "./decision.ts";

const text = "배송은 정말 빨랐지만 포장이 엉망이라 아쉬워요";

/** A recording in the documented shape. */
const recorded = (): RecordedCase & { stage1: object; debate: object } => ({
  text,
  text_id: "r1",
  language_code: "ko",
  stage1: {
    aspects: [
      { term: "배송", span: { start: 0, end: 2 }, confidence: 0.9 },
      { term: "포장", span: { start: 12, end: 14 }, confidence: 0.8 },
    ],
    aspect_sentiments: [
      { aspect_ref: "배송", polarity: "positive", evidence: "빨랐지만", confidence: 0.9 },
      { aspect_ref: "포장", polarity: null, evidence: "", confidence: 0.5 },
    ],
    structural_risks: [],
    consistency_score: 0.8,
    correction_proposals: [],
  },
  debate: {
    rounds: [
      {
        turns: ["EPM", "TAN", "CJ"].map((agent) => ({
          agent,
          proposed_edits: [
            { op: "confirm_tuple", target: { aspect_ref: "포장", polarity: "negative" }, evidence: "엉망이라" },
          ],
        })),
      },
    ],
    summary: {
      final_patch: [{ op: "set_polarity", target: { aspect_ref: "포장" }, value: "negative" }],
      final_tuples: [
        { aspect_ref: "배송", polarity: "positive" },
        { aspect_ref: "포장", polarity: "negative" },
      ],
      sentence_polarity: "mixed",
      sentence_evidence_spans: ["포장이 엉망이라"],
      aspect_evidence: { 배송: "빨랐지만" },
    },
  },
  stage2: { aspect_review: [], sentiment_review: [] },
});
const tuples = (given: RecordedCase) =>
  decide(given).final_result.final_tuples.map((one) => `${one.aspect_ref} ${one.polarity}`);
const both = ["배송 positive", "포장 negative"];

it("takes the documented shape", () => {
  const output = decide(recorded());
  expect(tuples(recorded())).toEqual(both);
  expect(output.meta).toMatchObject({ text_id: "r1", adopt_decision: "adopted", input_problems: {} });
});

describe("other shapes of the same turns come to the same tuples", () => {
  const { stage1, debate, stage2 } = recorded() as unknown as {
    stage1: Record<string, unknown[]>;
    debate: {
      rounds: { turns: { agent: string; proposed_edits: { target: object }[] }[] }[];
      summary: Record<string, object[]>;
    };
    stage2: Record<string, unknown>;
  };
  const turns = debate.rounds[0]?.turns ?? [];
  const termed = (list: object[]) =>
    list.map((one) => {
      const { aspect_ref, ...rest } = one as { aspect_ref: string };
      return { aspect_term: aspect_ref, ...rest };
    });
  const trace = [
    { stage: "stage1", agent: "ATE", output: { aspects: stage1.aspects } },
    { stage: "stage1", agent: "ATSA", output: { aspect_sentiments: stage1.aspect_sentiments } },
    { stage: "stage1", agent: "Validator", output: { structural_risks: [], correction_proposals: [] } },
    ...turns.map(({ agent, ...output }) => ({ stage: "debate_round1_x", agent, output })),
    { stage: "debate_judge", agent: "DebateJudge", output: debate.summary },
    { stage: "stage2", agent: "ATE", output: { aspect_review: [] } },
    { stage: "moderator", agent: "Moderator", output: { final_label: "positive" } },
  ];
  const rows: [string, Partial<RecordedCase>][] = [
    [
      "Stage 1 by agent",
      {
        stage1: {
          ate: { aspects: stage1.aspects },
          atsa: { aspect_sentiments: stage1.aspect_sentiments },
          validator: {},
        },
      },
    ],
    ["Stage 1 by agent, as lists", { stage1: { ATE: stage1.aspects, stage1_atsa: stage1.aspect_sentiments } }],
    [
      "Stage 1 as the shared context",
      { stage1: { stage1_aspects: stage1.aspects, stage1_aspect_sentiments: stage1.aspect_sentiments } },
    ],
    [
      "sentiments keyed by aspect_term objects, strings as numbers, spans as text",
      {
        stage1: {
          aspects: [
            { term: "배송", span: "0-2" },
            { term: "포장", span: [12, 14] },
          ],
          aspect_sentiments: [
            { aspect_term: { term: "배송", span: { start: 0, end: 0 } }, polarity: "pos", confidence: "0.9" },
            {
              aspect_term: { term: "포장", span: null },
              polarity: "neutral",
              confidence: 0.5,
              evidence: text,
              is_backfilled: true,
            },
          ],
        },
      },
    ],
    ["no ATE part", { stage1: { aspect_sentiments: stage1.aspect_sentiments } }],
    ["turns in a flat list", { debate: { turns, summary: debate.summary } }],
    ["rounds as lists of turns", { debate: { rounds: [turns], summary: debate.summary } }],
    ["the judge under its own name", { debate: { turns, judge: debate.summary } }],
    ["a debate inside its output", { debate: { debate } }],
    [
      "targets and tuples keyed by aspect_term",
      {
        debate: {
          turns: turns.map(({ agent, proposed_edits }) => ({
            agent,
            proposed_edits: proposed_edits.map((edit) => ({ ...edit, target: termed([edit.target])[0] })),
          })),
          summary: { ...debate.summary, final_tuples: termed(debate.summary.final_tuples ?? []) },
        },
      },
    ],
    [
      "a category beside the term",
      {
        debate: {
          turns,
          summary: {
            ...debate.summary,
            final_tuples: [
              { aspect_ref: "제품 전체#배송", aspect_term: "배송", polarity: "positive" },
              { aspect_ref: "본품#포장", aspect_term: { term: "포장" }, polarity: "negative" },
            ],
          },
        },
      },
    ],
    ["a judge without a patch", { debate: { turns, summary: { ...debate.summary, final_patch: undefined } } }],
    [
      "evidence as pairs and a single span",
      {
        debate: {
          turns,
          summary: {
            ...debate.summary,
            sentence_evidence_spans: "포장이 엉망이라",
            aspect_evidence: [{ aspect: "포장", span: "엉망이라" }],
          },
        },
      },
    ],
    ["no Stage 2", { stage2: null }],
    ["an empty Stage 2", { stage2: {} }],
    ["a recording's trace for every part", { stage1: trace, debate: trace, stage2: trace }],
    [
      "a whole recorded output",
      { stage1: { process_trace: trace }, debate: { process_trace: trace }, stage2: { process_trace: trace } },
    ],
    ["no language", { language_code: undefined }],
    ["Stage 2 as recorded", { stage2 }],
  ];
  it.each(rows)("%s", (_name, over) => expect(tuples({ ...recorded(), ...over })).toEqual(both));
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
    ["an edit that is no object", withEdit("drop it"), "item_unreadable"],
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
  expect(decide({ text, stage1: { aspects }, debate }).final_result.final_tuples.map((one) => one.aspect_ref)).toEqual(
    aspects,
  );
});
