/** Random replies: unknown ops, wrong polarities, foreign aspects, quotes that are not in the text, missing parts. */
import fc from "fast-check";
import type { Replies } from "./ground-case.ts";

const texts = [
  "배송은 빨랐지만 포장이 엉망이고 가격은 보통이에요",
  "음식 맛이 좋고 직원이 친절한데 가격이 비싸지 않아요",
  "The battery life is great but the screen is not bright, and the price is average.",
  "Service was slow; food was average.",
];
const terms: Record<string, string[]> = {
  [texts[0] ?? ""]: ["배송", "포장", "포장이", "가격", "비용"],
  [texts[1] ?? ""]: ["음식", "맛", "음식 맛", "직원", "서비스", "가격"],
  [texts[2] ?? ""]: ["battery life", "Battery", "screen", "price", "display"],
  [texts[3] ?? ""]: ["service", "Service", "food", "staff"],
};
const polarity = fc.constantFrom("positive", "negative", "neutral", "pos", "NEG ", "mixed", "");
const missable = fc.option(polarity);
const confidence = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(0.9));
const op = fc.constantFrom(
  "set_polarity",
  "set_aspect_ref",
  "merge_tuples",
  "drop_tuple",
  "confirm_tuple",
  "rewrite",
  "",
);
const span = fc.constantFrom({ start: 0, end: 2 }, { start: 90, end: 99 }, { start: 0, end: 0 });
const unsaid = { rationale: "", normalized: null, syntactic_head: null };

function wordIn(text: string) {
  return fc.constantFrom(...(terms[text] ?? []), "", "unknown thing");
}

function patches(text: string) {
  const target = fc.record({ aspect_ref: wordIn(text), polarity: missable });
  const value = fc.oneof(missable, wordIn(text));
  return fc.array(fc.record({ op, target, value }), { maxLength: 4 });
}

function edits(text: string) {
  const evidence = fc.constantFrom(text.slice(0, 4), "not there", "", null);
  const target = fc.record({ aspect_ref: wordIn(text), polarity: missable });
  const value = fc.oneof(missable, wordIn(text));
  return fc.array(fc.record({ op, target, value, evidence, confidence: fc.option(confidence) }), { maxLength: 4 });
}

function judge(text: string) {
  const quote = fc.constantFrom(text.slice(0, 5), text.slice(3, 8), "?", "x", "");
  return fc.record({
    final_patch: patches(text),
    final_tuples: fc.array(fc.record({ aspect_ref: wordIn(text), polarity: missable }), { maxLength: 4 }),
    unresolved_conflicts: fc.constantFrom<string[]>([], ["all of it"]),
    rationale: fc.constant(null),
    sentence_polarity: fc.constantFrom("positive", "negative", "mixed", "neutral", "huh", null),
    sentence_evidence_spans: fc.array(quote, { maxLength: 2 }),
    aspect_evidence: fc.array(fc.record({ aspect: wordIn(text), span: quote }), { maxLength: 2 }),
  });
}

function caseOn(text: string) {
  const ate = fc.record({
    aspects: fc.array(
      fc.record({ term: wordIn(text), span, confidence }).map((one) => ({ ...unsaid, ...one })),
      { maxLength: 4 },
    ),
  });
  const atsa = fc.record({
    aspect_sentiments: fc.array(
      fc.record({
        aspect_ref: wordIn(text),
        polarity: missable,
        confidence,
        evidence: fc.constantFrom(text, text.slice(0, 3), ""),
        opinion_term: fc.constant(null),
        polarity_distribution: fc.constant(null),
        is_implicit: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
  });
  const validator = fc.option(
    fc.record({
      structural_risks: fc.array(
        fc.record({
          type: fc.constantFrom("NEGATION", "CONTRAST_SCOPE", "EVIDENCE_GAP", "ODD"),
          scope: span,
          severity: fc.constantFrom("medium", "high", "odd"),
          description: fc.constant(""),
        }),
        { maxLength: 2 },
      ),
      correction_proposals: fc.array(
        fc.record({
          target_aspect: wordIn(text),
          proposal_type: fc.constantFrom("FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN", "CHECK_SPAN"),
          revised_span: fc.option(span),
          rationale: fc.constant(""),
        }),
        { maxLength: 2 },
      ),
      consistency_score: confidence,
    }),
  );
  const agreed = fc
    .record({ term: fc.constantFrom(...(terms[text] ?? [])), polarity: fc.constantFrom("positive", "negative") })
    .map(({ term, polarity: said }) => {
      const patch = { op: "confirm_tuple", target: { aspect_ref: term, polarity: said }, value: null };
      const own = [{ ...patch, evidence: term, confidence: 0.9 }];
      return {
        speakers: { epm: own, tan: own, cj: own },
        judge: {
          final_patch: [patch],
          final_tuples: [{ aspect_ref: term, polarity: said }],
          unresolved_conflicts: [],
          rationale: null,
          sentence_polarity: null,
          sentence_evidence_spans: [text.slice(0, 4), term],
          aspect_evidence: [],
        },
      };
    });
  const speakers = fc.record({ epm: edits(text), tan: edits(text), cj: edits(text) });
  const debate = fc.option(fc.oneof(agreed, fc.record({ speakers, judge: fc.option(judge(text)) })));
  const action = fc.constantFrom("keep", "maintain", "drop", "add", "flip_polarity", "revise_span", "odd");
  const reason = fc.constant("");
  const stage2 = fc.option(
    fc.record({
      aspect_review: fc.array(fc.record({ term: wordIn(text), action, revised_span: fc.option(span), reason }), {
        maxLength: 3,
      }),
      sentiment_review: fc.array(
        fc.record({
          aspect_ref: wordIn(text),
          action,
          revised_polarity: missable,
          reason,
          evidence: fc.constantFrom(text.slice(0, 4), "not there", null),
        }),
        { maxLength: 3 },
      ),
      validator: fc.constant(null),
    }),
  );
  const config = fc.record(
    {
      debate_override: fc.constantFrom(
        {},
        { min_total: 1, min_margin: 0.5, min_target_conf: 0.6, ev_threshold: 0.4 },
        { min_total: 0.6, min_margin: 0.3, min_target_conf: 0.55, ev_threshold: 0.3, l3_conservative: false },
      ),
      neutral_policy: fc.constantFrom("explicit", "mention"),
      enable_debate_override: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const replies: fc.Arbitrary<Replies> = fc.record({ text: fc.constant(text), ate, atsa, validator, debate, stage2 });
  return fc.record({ replies, config });
}

export const randomCase = fc.constantFrom(...texts).chain(caseOn);
