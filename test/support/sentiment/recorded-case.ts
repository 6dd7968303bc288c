/** A recorded case as `decide` takes it, and what it comes to. */
import { decide, type RecordedCase } from "../../../src/packs/sentiment/index.ts";

export const text = "배송은 정말 빨랐지만 포장이 엉망이라 아쉬워요";

/** A recording in the documented shape. */
export const recorded = (): RecordedCase & { stage1: object; debate: object } => ({
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
export const tuples = (given: RecordedCase) =>
  decide(given).final_result.final_tuples.map((one) => `${one.aspect_ref} ${one.polarity}`);
export const both = ["배송 positive", "포장 negative"];
