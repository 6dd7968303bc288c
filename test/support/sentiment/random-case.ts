/** Random cases in the loose shapes that recordings have: unknown ops, wrong polarities, foreign aspects, missing parts. */
import fc from "fast-check";

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
const polarity = fc.constantFrom<unknown>(
  "positive",
  "negative",
  "neutral",
  "pos",
  "NEG ",
  "mixed",
  "",
  null,
  undefined,
  3,
);
const confidence = fc.option(
  fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom<unknown>(0.9, -1, 7)),
  {
    nil: undefined,
  },
);
const op = fc.constantFrom(
  "set_polarity",
  "set_aspect_ref",
  "merge_tuples",
  "drop_tuple",
  "confirm_tuple",
  "rewrite",
  "",
);

function wordIn(text: string) {
  return fc.constantFrom<unknown>(...(terms[text] ?? []), "", "unknown thing", null, {
    term: terms[text]?.[0],
    span: [0, 0],
  });
}

function edits(text: string) {
  const target = fc.oneof(
    wordIn(text),
    fc.record({ aspect_ref: wordIn(text), polarity }, { requiredKeys: [] }),
    fc.record({ aspect_term: wordIn(text), polarity }, { requiredKeys: [] }),
  );
  const value = fc.oneof(polarity, wordIn(text));
  const evidence = fc.constantFrom<unknown>(text.slice(0, 4), "not there", "", null, undefined);
  const one = fc.record({ op, target, value, evidence, confidence }, { requiredKeys: ["op"] });
  return fc.array(fc.oneof({ weight: 9, arbitrary: one }, fc.constant<unknown>("junk")), { maxLength: 4 });
}

function summary(text: string) {
  const span = fc.constantFrom<unknown>(text.slice(0, 5), text.slice(3, 8), "?", "x", "", null);
  return fc.record(
    {
      final_patch: edits(text),
      final_tuples: fc.array(
        fc.record({ aspect_ref: wordIn(text), aspect_term: wordIn(text), polarity }, { requiredKeys: [] }),
        {
          maxLength: 4,
        },
      ),
      sentence_polarity: fc.constantFrom<unknown>("positive", "negative", "mixed", "neutral", "huh", null),
      sentence_evidence_spans: fc.array(span, { maxLength: 2 }),
      aspect_evidence: fc.dictionary(fc.constantFrom(...(terms[text] ?? [])), span, { maxKeys: 2 }),
    },
    { requiredKeys: [] },
  );
}

function caseOn(text: string) {
  const anySpan = fc.constantFrom<unknown>({ start: 0, end: 2 }, { start: 90, end: 99 }, null, undefined);
  const stage1 = fc.record(
    {
      aspects: fc.array(fc.record({ term: wordIn(text), span: anySpan, confidence }, { requiredKeys: [] }), {
        maxLength: 4,
      }),
      aspect_sentiments: fc.array(
        fc.record(
          {
            aspect_ref: wordIn(text),
            aspect_term: wordIn(text),
            polarity,
            confidence,
            evidence: fc.constantFrom<unknown>(text, text.slice(0, 3), "", null),
            is_implicit: fc.boolean(),
            is_backfilled: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
        { maxLength: 4 },
      ),
      structural_risks: fc.array(
        fc.record({ type: fc.constantFrom("NEGATION", "contrast scope", "EVIDENCE_GAP", "ODD"), scope: anySpan }),
        { maxLength: 2 },
      ),
      correction_proposals: fc.array(
        fc.record({
          target_aspect: wordIn(text),
          proposal_type: fc.constantFrom("FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN", "CHECK_SPAN"),
          revised_span: anySpan,
        }),
        { maxLength: 2 },
      ),
      consistency_score: confidence,
    },
    { requiredKeys: [] },
  );
  const turns = fc.array(
    fc.record(
      { agent: fc.constantFrom("EPM", "TAN", "CJ", "Someone"), proposed_edits: edits(text) },
      { requiredKeys: ["proposed_edits"] },
    ),
    { maxLength: 5 },
  );
  const agreed = fc
    .record({
      term: fc.constantFrom(...(terms[text] ?? [])),
      polarity: fc.constantFrom("positive", "negative", "neutral"),
    })
    .map(({ term, polarity }) => {
      const edit = { op: "confirm_tuple", target: { aspect_ref: term, polarity }, confidence: 0.9 };
      return {
        turns: ["EPM", "TAN", "CJ"].map((agent, at) => {
          return { agent, proposed_edits: [{ ...edit, confidence: 0.9 - at / 100 }] };
        }),
        summary: {
          final_patch: [edit],
          final_tuples: [{ aspect_term: term, polarity }],
          sentence_evidence_spans: [text.slice(0, 4), term],
        },
      };
    });
  const debate = fc.oneof(
    agreed,
    fc.record({ turns, summary: summary(text) }, { requiredKeys: [] }),
    fc.record({ rounds: fc.array(fc.record({ turns }), { maxLength: 2 }), summary: summary(text) }),
    fc.constant<unknown>(null),
    stanceDebate(text),
  );
  const action = fc.constantFrom("keep", "maintain", "drop", "remove", "add", "flip_polarity", "revise_span", "odd");
  const stage2 = fc.option(
    fc.record(
      {
        aspect_review: fc.array(fc.record({ term: wordIn(text), action, revised_span: anySpan }), { maxLength: 3 }),
        sentiment_review: fc.array(fc.record({ aspect_ref: wordIn(text), action, revised_polarity: polarity }), {
          maxLength: 3,
        }),
        final_validation: fc.record({ final_consistency_score: confidence }),
      },
      { requiredKeys: [] },
    ),
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
  const language_code = fc.constantFrom(undefined, null, "ko-KR", "xx");
  return fc.record({ text: fc.constant(text), language_code, stage1, debate, stage2, config });
}

function stanceDebate(text: string) {
  const speech = fc.constantFrom(...(terms[text] ?? []), "nothing", text.slice(0, 4)).map((word) => `${word} 긍정`);
  return fc.record({
    turns: fc.array(
      fc.record({
        speaker: fc.constantFrom("analyst", "critic", "empath"),
        message: speech,
        key_points: fc.array(fc.constantFrom(text.slice(0, 4), "elsewhere"), { maxLength: 2 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    summary: fc.record({ consensus: fc.option(speech), rationale: fc.constantFrom("부정", "엇갈림", "") }),
  });
}

export const randomCase = fc.constantFrom(...texts).chain(caseOn);
