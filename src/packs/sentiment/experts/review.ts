/** The three reviewers of Stage 2 as programs (sentiment spec §5). They read as Stage 1 did, so they keep what it said. */
import type { ReviewInput } from "../schemas/inputs.ts";
import type { AteReviewReply, AtsaReviewReply, ValidatorReviewReply } from "../schemas/stage2.ts";
import { viewDebate } from "./patch.ts";
import { quoteWords, scoreConsistency } from "./stage1.ts";

export function reviewAspects({ stage1 }: ReviewInput): AteReviewReply {
  const terms = [...new Set(stage1.aspects.map((aspect) => aspect.term))];
  const kept = { reason: "a target of the text", action: "keep", revised_span: null };
  return { aspect_review: terms.map((term) => ({ term, ...kept })) };
}

export function reviewSentiments({ material, stage1 }: ReviewInput): AtsaReviewReply {
  const kept = { action: "maintain", revised_polarity: null, evidence: null };
  return {
    sentiment_review: viewDebate(material, stage1).map((view) => {
      const reason = quoteWords(view) || "no word of the text says otherwise";
      return { aspect_ref: view.term, reason, ...kept };
    }),
  };
}

export function reviewValidation({ stage1 }: ReviewInput): ValidatorReviewReply {
  const structural_risks = stage1.validator?.structural_risks ?? [];
  return {
    structural_risks,
    final_validation: {
      resolved_risks: [],
      remaining_risks: structural_risks.map(({ type, description }) => `${type}: ${description}`),
      final_consistency_score: scoreConsistency(structural_risks),
    },
  };
}
