import type { Reviewed } from "../../schemas/role-inputs.ts";
import type { StructuralRisk } from "../../schemas/stage1.ts";
import type { ValidatorReviewReply } from "../../schemas/stage2.ts";
import { viewDebate } from "../patch/debate-views.ts";
import { findRisks } from "../stage1/find-risks.ts";
import { toDebateContext } from "../../rules/review/review-context.ts";
import { reviewSentiments } from "./review-sentiments.ts";

/** Validator review as a program: the risks that remain once the reviewed polarities stand (sentiment spec §5). */
export function reviewValidation(input: Reviewed): ValidatorReviewReply {
  const views = viewDebate(input.text, input.language_code, toDebateContext(input.text, input.stage1));
  const changes = reviewSentiments(input).sentiment_review.filter((review) => review.revised_polarity !== null);
  const revised = input.stage1.aspect_sentiments.map((sentiment) => {
    const change = changes.find((one) => one.aspect_ref === sentiment.aspect_ref);
    const polarity = change?.revised_polarity as typeof sentiment.polarity | undefined;
    return polarity ? { ...sentiment, polarity } : sentiment;
  });
  const { text, language_code, stage1 } = input;
  const remaining = findRisks({ text, language_code, aspects: stage1.aspects, aspect_sentiments: revised }, views);
  const before = stage1.validator?.structural_risks ?? [];
  const stands = (risk: StructuralRisk) =>
    remaining.some((one) => one.type === risk.type && one.scope.start === risk.scope.start);
  const describe = (risk: StructuralRisk) => `${risk.type}: ${risk.description}`;
  return {
    final_validation: {
      resolved_risks: before.filter((risk) => !stands(risk)).map(describe),
      remaining_risks: remaining.map(describe),
      final_consistency_score: Math.round(Math.max(0, 1 - 0.12 * remaining.length) * 1000) / 1000,
    },
    structural_risks: remaining,
  };
}
