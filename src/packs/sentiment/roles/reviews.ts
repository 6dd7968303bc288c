/** The reviewers of Stage 2 (sentiment spec §5): what they are asked, and how their replies are grounded. */
import type { Block } from "../../../contract/prompt.ts";
import { matchStage1 } from "../rules/matcher.ts";
import { findQuote } from "../rules/text.ts";
import { canonicalisePolarity, roundOff } from "../rules/tuples.ts";
import type { ReviewInput, SentimentExperts } from "../schemas/inputs.ts";
import {
  aspectActions,
  AteReviewReplySchema,
  AtsaReviewReplySchema,
  type Hint,
  type ReviewContext,
  sentimentActions,
  ValidatorReviewReplySchema,
} from "../schemas/stage2.ts";
import { defineGrounded, isOneOf, listDebateBlocks, resolveOrWhole, sift, taskOf, writePrompt } from "./grounded.ts";
import { groundRisks } from "./stage1.ts";

export function createReviewRoles(experts: SentimentExperts) {
  const prompt = (task: string) => (input: ReviewInput) => {
    const digest = input.review_context === null ? [] : [digestDebate(input.review_context)];
    const blocks = [...listDebateBlocks(input.material, input.stage1), ...digest];
    return writePrompt("stage2", input.material, blocks, taskOf(task));
  };
  return {
    ateReview: defineGrounded({
      name: "ate_review",
      reply: AteReviewReplySchema,
      prompt: prompt("ate_stage2"),
      ground: (reply, { material, stage1 }) => {
        const matcher = matchStage1(material, stage1);
        const { kept, strikes } = sift("aspect_review", reply.aspect_review, (review, strike) => {
          if (!isOneOf(aspectActions, review.action)) return strike("action", "unknown_action", review.action);
          const { aspect: term } = matcher.resolve(review.term);
          return term === null ? strike("term", "unknown_aspect", review.term) : { ...review, term };
        });
        return { reply: { aspect_review: kept }, strikes };
      },
      expert: (input) => experts.reviewAspects(input),
    }),
    atsaReview: defineGrounded({
      name: "atsa_review",
      reply: AtsaReviewReplySchema,
      prompt: prompt("atsa_stage2"),
      ground: (reply, { material, stage1 }) => {
        const matcher = matchStage1(material, stage1);
        const { kept, strikes } = sift("sentiment_review", reply.sentiment_review, (review, strike) => {
          const { revised_polarity, action } = review;
          if (!isOneOf(sentimentActions, action)) return strike("action", "unknown_action", action);
          const aspect_ref = resolveOrWhole(matcher, review.aspect_ref);
          if (aspect_ref === null) return strike("aspect_ref", "unknown_aspect", review.aspect_ref);
          if (revised_polarity !== null && canonicalisePolarity(revised_polarity) === null)
            return strike("revised_polarity", "polarity_invalid", revised_polarity);
          const quote = findQuote(material.text, review.evidence ?? "");
          if (quote === null) return strike("evidence", "evidence_not_in_text", review.evidence);
          return { ...review, aspect_ref, evidence: quote || null };
        });
        return { reply: { sentiment_review: kept }, strikes };
      },
      expert: (input) => experts.reviewSentiments(input),
    }),
    validatorReview: defineGrounded({
      name: "validator_review",
      reply: ValidatorReviewReplySchema,
      prompt: prompt("validator_stage2"),
      ground: groundRisks,
      expert: (input) => experts.reviewValidation(input),
    }),
  };
}

function digestDebate(context: ReviewContext): Block {
  const { summary, review_guidance, fallback_mapping_policy } = context;
  const omitted = ["final_patch", "sentence_evidence_spans"];
  const concluded = Object.entries(summary ?? {}).filter(([key]) => !omitted.includes(key));
  const votes = Object.entries(context.aspect_hints).map(([aspect, hints]) => [aspect, sumVotes(hints)]);
  const rebuttal_points = context.rebuttal_points.map(({ speaker, stance, key_points, aspect_refs }) => {
    return { speaker, stance, key_points, aspect_refs };
  });
  return {
    label: "DEBATE_REVIEW_CONTEXT",
    json: {
      summary: Object.fromEntries(concluded),
      rebuttal_points,
      aspect_votes: Object.fromEntries(votes),
      review_guidance,
      fallback_mapping_policy,
    },
  };
}

function sumVotes(votes: readonly Hint[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { removal, polarity_hint, weight } of votes) {
    const side = removal ? "removal" : (polarity_hint ?? "none");
    sums[side] = roundOff((sums[side] ?? 0) + weight);
  }
  return sums;
}
