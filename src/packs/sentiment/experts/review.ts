/** The three reviewers of Stage 2 as programs (sentiment spec §5). */
import { isDoubtfulTarget, judgeByStructure } from "../../../knowledge/opinions/index.ts";
import { canonicalisePolarity, pickOwn } from "../rules/tuples.ts";
import type { ReviewInput } from "../schemas/inputs.ts";
import type { Polarity, StructuralRisk } from "../schemas/stage1.ts";
import type {
  AspectReview,
  AteReviewReply,
  AtsaReviewReply,
  Hint,
  SentimentReview,
  ValidatorReviewReply,
} from "../schemas/stage2.ts";
import { findStated, viewDebate } from "./patch.ts";
import { findRisks, round } from "./stage1.ts";

/** Keeps what is a target, drops what the debate and its own look agree is not one. */
export function reviewAspects(input: ReviewInput): AteReviewReply {
  const { material, stage1, review_context } = input;
  const named = viewDebate(material, stage1).filter((view) => view.term !== "" && view.spans.length > 0);
  const aspect_review = named.map((view): AspectReview => {
    const hints = pickOwn(review_context?.aspect_hints ?? {}, view.term) ?? [];
    const removal = sumWeights(hints.filter((hint) => hint.removal));
    const isRemoved = review_context === null || (removal > 0 && removal * 2 >= sumWeights(hints));
    const drop = isRemoved && isDoubtfulTarget(view);
    const reason = drop ? "nothing in the text judges it, and reviews hardly ever do" : "a target of the text";
    return { term: view.term, reason, action: drop ? "drop" : "keep", revised_span: null, provenance: null };
  });
  return { aspect_review };
}

/** Reads each aspect anew by structure, and changes Stage 1 where the debate does not speak against it. */
export function reviewSentiments(input: ReviewInput): AtsaReviewReply {
  const { material, stage1 } = input;
  const sentiment_review = viewDebate(material, stage1).map((view): SentimentReview => {
    const stated = findStated(stage1, view.term)?.polarity ?? null;
    const { polarity, via, opinions, evidence: place } = view.scoped;
    const words = opinions.map((opinion) => `"${opinion.term}"`).join(", ");
    const evidence = opinions.length === 0 ? null : material.text.slice(place.start, place.end);
    const says = (action: string, revised_polarity: Polarity | null, reason: string): SentimentReview => ({
      aspect_ref: view.term,
      evidence,
      reason,
      action,
      revised_polarity,
      provenance: null,
    });
    const wanted = judgeByStructure(view);
    const isOpen = wanted !== null && wanted !== stated && (wanted !== "neutral" || stated !== null);
    if (!isOpen || isOpposed(input, view.term, wanted))
      return says("maintain", null, words === "" ? "nothing in the text says otherwise" : `${words} (${via})`);
    const reason =
      polarity === null
        ? `the opinions of the text belong to something else than "${view.term}"`
        : `${words} reads ${polarity} (${via})`;
    return says(stated === null ? "add" : "flip_polarity", wanted, reason);
  });
  return { sentiment_review };
}

/** True when the votes of the debate on an aspect weigh against this polarity; without a debate nothing does. */
function isOpposed({ review_context }: ReviewInput, aspect: string, polarity: Polarity): boolean {
  const hints = pickOwn(review_context?.aspect_hints ?? {}, aspect) ?? [];
  const votes = hints.filter((hint) => hint.removal || hint.polarity_hint !== null);
  const inFavour = votes.filter((hint) => !hint.removal && canonicalisePolarity(hint.polarity_hint) === polarity);
  return votes.length > 0 && sumWeights(inFavour) * 2 < sumWeights(votes);
}

function sumWeights(hints: readonly Hint[]): number {
  return hints.reduce((total, hint) => total + hint.weight, 0);
}

/** The risks that remain once the reviewed polarities stand. */
export function reviewValidation(input: ReviewInput): ValidatorReviewReply {
  const { material, stage1 } = input;
  const changes = reviewSentiments(input).sentiment_review;
  const revised = stage1.aspect_sentiments.map((sentiment) => {
    const change = changes.find((one) => one.aspect_ref === sentiment.aspect_ref);
    return { ...sentiment, polarity: canonicalisePolarity(change?.revised_polarity) ?? sentiment.polarity };
  });
  const views = viewDebate(material, stage1);
  const remaining = findRisks({ material, aspects: stage1.aspects, aspect_sentiments: revised }, views);
  const stands = (risk: StructuralRisk) =>
    remaining.some((one) => one.type === risk.type && one.scope.start === risk.scope.start);
  const describe = (risk: StructuralRisk) => `${risk.type}: ${risk.description}`;
  const before = stage1.validator?.structural_risks ?? [];
  return {
    structural_risks: remaining,
    final_validation: {
      resolved_risks: before.filter((risk) => !stands(risk)).map(describe),
      remaining_risks: remaining.map(describe),
      final_consistency_score: round(Math.max(0, 1 - 0.12 * remaining.length)),
    },
  };
}
