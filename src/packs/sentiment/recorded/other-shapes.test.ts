import { describe, expect, it } from "vitest";
import { both, recorded, text, tuples } from "../../../../test/support/sentiment/recorded-case.ts";
import type { RecordedCase } from "../decide.ts";

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
