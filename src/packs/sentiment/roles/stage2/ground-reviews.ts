import { type AspectMatcher, createStage1Matcher } from "../../rules/tuples/aspect-matcher.ts";
import { canonicalisePolarity } from "../../rules/tuples/canonical-polarity.ts";
import type { ReviewInput } from "../../schemas/role-inputs.ts";
import {
  type AspectReview,
  type AteReviewReply,
  type AtsaReviewReply,
  aspectActions,
  type SentimentReview,
  sentimentActions,
} from "../../schemas/stage2.ts";
import { readChoice, type Strike } from "../checks/strikes.ts";

/** Keeps the aspect reviews with a known action on a known aspect (sentiment spec §5). */
export function groundAspectReviews(
  reply: AteReviewReply,
  input: ReviewInput,
): { kept: AspectReview[]; strikes: Strike[] } {
  const matcher = createReviewMatcher(input);
  const strikes: Strike[] = [];
  const kept = reply.aspect_review.flatMap((review, at) => {
    const action = readChoice(aspectActions, review.action);
    const known = matcher.resolve(review.term).aspect !== null;
    if (action === null)
      strikes.push({ code: "unknown_action", what: review.action, path: ["aspect_review", at, "action"] });
    else if (!known) strikes.push({ code: "unknown_aspect", what: review.term, path: ["aspect_review", at, "term"] });
    return action !== null && known ? [{ ...review, action }] : [];
  });
  return { kept, strikes };
}

/** Keeps the sentiment reviews with a known action and polarity on a known aspect (sentiment spec §5). */
export function groundSentimentReviews(
  reply: AtsaReviewReply,
  input: ReviewInput,
): { kept: SentimentReview[]; strikes: Strike[] } {
  const matcher = createReviewMatcher(input);
  const strikes: Strike[] = [];
  const kept = reply.sentiment_review.flatMap((review, at) => {
    const path = (field: string) => ["sentiment_review", at, field];
    const action = readChoice(sentimentActions, review.action);
    const known = review.aspect_ref.trim() === "" || matcher.resolve(review.aspect_ref).aspect !== null;
    const valid = review.revised_polarity === null || canonicalisePolarity(review.revised_polarity) !== null;
    if (action === null) strikes.push({ code: "unknown_action", what: review.action, path: path("action") });
    else if (!known) strikes.push({ code: "unknown_aspect", what: review.aspect_ref, path: path("aspect_ref") });
    else if (!valid)
      strikes.push({ code: "polarity_invalid", what: review.revised_polarity ?? "", path: path("revised_polarity") });
    return action !== null && known && valid ? [{ ...review, action }] : [];
  });
  return { kept, strikes };
}

function createReviewMatcher(input: ReviewInput): AspectMatcher {
  return createStage1Matcher(input, input.stage1);
}
