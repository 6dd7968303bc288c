import { defineRole } from "../../../engine/role.ts";
import { canonicalPolarity } from "../canonical-polarity.ts";
import { readPrompt, type PromptName } from "../prompts/read-prompt.ts";
import type { ReviewInput, SentimentExperts } from "../role-inputs.ts";
import {
  type AteReviewReply,
  AteReviewReplySchema,
  type AtsaReviewReply,
  AtsaReviewReplySchema,
  aspectActions,
  sentimentActions,
  type ValidatorReviewReply,
  ValidatorReviewReplySchema,
} from "../schemas/stage2.ts";
import type { Strike } from "../stage1/ground-aspects.ts";
import { groundRisks, wordIn } from "../stage1/ground-validator.ts";
import type { AspectMatcher } from "../text/aspect-matcher.ts";
import { matcherOf } from "./stage1-roles.ts";
import { strikeProblems } from "./strike-problems.ts";

/** The three reviewers of Stage 2 (spec section 5). */
export function reviewRoles(experts: SentimentExperts) {
  const ateReview = defineRole<ReviewInput, AteReviewReply>({
    name: "ate_review",
    reply: AteReviewReplySchema,
    prompt: (input) => reviewPrompt("ate_stage2", input),
    check: (reply, input) => strikeProblems(groundAspectReviews(reply, input).strikes),
    salvage: (reply, _problems, input) => ({ aspect_review: groundAspectReviews(reply, input).kept }),
    expert: (input) => experts.reviewAspects(input),
  });
  const atsaReview = defineRole<ReviewInput, AtsaReviewReply>({
    name: "atsa_review",
    reply: AtsaReviewReplySchema,
    prompt: (input) => reviewPrompt("atsa_stage2", input),
    check: (reply, input) => strikeProblems(groundSentimentReviews(reply, input).strikes),
    salvage: (reply, _problems, input) => ({ sentiment_review: groundSentimentReviews(reply, input).kept }),
    expert: (input) => experts.reviewSentiments(input),
  });
  const validatorReview = defineRole<ReviewInput, ValidatorReviewReply>({
    name: "validator_review",
    reply: ValidatorReviewReplySchema,
    prompt: (input) => reviewPrompt("validator_stage2", input),
    check: (reply, { text }) => {
      const strikes: Strike[] = [];
      groundRisks(text, reply.structural_risks, strikes);
      return strikeProblems(strikes);
    },
    salvage: (reply, _problems, { text }) => ({
      ...reply,
      structural_risks: groundRisks(text, reply.structural_risks, []),
    }),
    expert: (input) => experts.reviewValidation(input),
  });
  return { ateReview, atsaReview, validatorReview };
}

function reviewPrompt(name: PromptName, { text, stage1, review_context }: ReviewInput) {
  return {
    instructions: readPrompt("stage2"),
    blocks: [
      { label: "TEXT", text },
      { label: "STAGE1", json: stage1 },
      ...(review_context ? [{ label: "DEBATE_REVIEW_CONTEXT", json: review_context }] : []),
    ],
    own: [{ label: "TASK", text: readPrompt(name) }],
  };
}

function reviewMatcher({ text, language_code, stage1 }: ReviewInput): AspectMatcher {
  const { aspects, aspect_sentiments } = stage1;
  return matcherOf({ text, language_code, aspects, aspect_sentiments });
}

/** Reviews with a known action on a known aspect; the others are struck. */
function groundAspectReviews(reply: AteReviewReply, input: ReviewInput) {
  const matcher = reviewMatcher(input);
  const strikes: Strike[] = [];
  const kept = reply.aspect_review.flatMap((review, at) => {
    const action = wordIn(aspectActions, review.action);
    const known = matcher.resolve(review.term).aspect !== null;
    if (action === null)
      strikes.push({ code: "unknown_action", what: review.action, path: ["aspect_review", at, "action"] });
    else if (!known) strikes.push({ code: "unknown_aspect", what: review.term, path: ["aspect_review", at, "term"] });
    return action !== null && known ? [{ ...review, action }] : [];
  });
  return { kept, strikes };
}

function groundSentimentReviews(reply: AtsaReviewReply, input: ReviewInput) {
  const matcher = reviewMatcher(input);
  const strikes: Strike[] = [];
  const kept = reply.sentiment_review.flatMap((review, at) => {
    const path = (field: string) => ["sentiment_review", at, field];
    const action = wordIn(sentimentActions, review.action);
    const known = review.aspect_ref.trim() === "" || matcher.resolve(review.aspect_ref).aspect !== null;
    const valid = review.revised_polarity === null || canonicalPolarity(review.revised_polarity) !== null;
    if (action === null) strikes.push({ code: "unknown_action", what: review.action, path: path("action") });
    else if (!known) strikes.push({ code: "unknown_aspect", what: review.aspect_ref, path: path("aspect_ref") });
    else if (!valid)
      strikes.push({ code: "polarity_invalid", what: review.revised_polarity ?? "", path: path("revised_polarity") });
    return action !== null && known && valid ? [{ ...review, action }] : [];
  });
  return { kept, strikes };
}
