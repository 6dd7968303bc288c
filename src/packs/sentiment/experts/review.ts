/** The three reviewers of Stage 2 as programs (sentiment spec §5). */
import { judgeByStructure } from "../../../knowledge/opinions/index.ts";
import { pickOwn } from "../rules/tuples.ts";
import type { ReviewInput } from "../schemas/inputs.ts";
import type { Polarity } from "../schemas/stage1.ts";
import type { AteReviewReply, AtsaReviewReply, SentimentReview, ValidatorReviewReply } from "../schemas/stage2.ts";
import { findStated, viewDebate } from "./patch.ts";
import { findRisks, scoreConsistency } from "./stage1.ts";

export function reviewAspects({ stage1 }: ReviewInput): AteReviewReply {
  const terms = [...new Set(stage1.aspects.map((aspect) => aspect.term))];
  const kept = { reason: "a target of the text", action: "keep", revised_span: null, provenance: null };
  return { aspect_review: terms.map((term) => ({ term, ...kept })) };
}

export function reviewSentiments(input: ReviewInput): AtsaReviewReply {
  const { material, stage1 } = input;
  const sentiment_review = viewDebate(material, stage1).map((view): SentimentReview => {
    const stated = findStated(stage1, view.term)?.polarity ?? null;
    const { via, opinions, evidence: place } = view.scoped;
    const words = opinions.map((opinion) => `"${opinion.term}"`).join(", ");
    const evidence = opinions.length === 0 ? null : material.text.slice(place.start, place.end);
    const wanted = judgeByStructure(view);
    const isOpen = wanted !== null && wanted !== stated && (wanted !== "neutral" || stated !== null);
    const isChanged = isOpen && !isOpposed(input, view.term, wanted);
    return {
      aspect_ref: view.term,
      evidence,
      reason: words === "" ? "no word of the text says otherwise" : `${words} (${via})`,
      action: !isChanged ? "maintain" : stated === null ? "add" : "flip_polarity",
      revised_polarity: isChanged ? wanted : null,
      provenance: null,
    };
  });
  return { sentiment_review };
}

function isOpposed({ review_context }: ReviewInput, aspect: string, polarity: Polarity): boolean {
  const votes = (pickOwn(review_context?.aspect_hints ?? {}, aspect) ?? []).filter(
    (hint) => hint.removal || hint.polarity_hint !== null,
  );
  const sum = (list: typeof votes) => list.reduce((total, hint) => total + hint.weight, 0);
  return votes.length > 0 && sum(votes.filter((hint) => hint.polarity_hint === polarity)) * 2 < sum(votes);
}

/** The risks that remain once the reviewed polarities stand. */
export function reviewValidation(input: ReviewInput): ValidatorReviewReply {
  const { material, stage1 } = input;
  const changes = reviewSentiments(input).sentiment_review;
  const revised = stage1.aspect_sentiments.map((sentiment) => {
    const change = changes.find((one) => one.aspect_ref === sentiment.aspect_ref)?.revised_polarity;
    return { ...sentiment, polarity: (change as Polarity | null | undefined) ?? sentiment.polarity };
  });
  const views = viewDebate(material, stage1);
  const remaining = findRisks({ material, aspects: stage1.aspects, aspect_sentiments: revised }, views);
  const descriptions = new Set(remaining.map(({ type, description }) => `${type}: ${description}`));
  const before = (stage1.validator?.structural_risks ?? []).map(({ type, description }) => `${type}: ${description}`);
  return {
    structural_risks: remaining,
    final_validation: {
      resolved_risks: before.filter((risk) => !descriptions.has(risk)),
      remaining_risks: [...descriptions],
      final_consistency_score: scoreConsistency(remaining),
    },
  };
}
