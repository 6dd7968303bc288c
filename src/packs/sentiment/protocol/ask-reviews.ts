import { languageOf } from "../../../knowledge/opinions/index.ts";
import { buildReviewContext, toDebateContext } from "../rules/review/review-context.ts";
import type { CaseTurns } from "../schemas/case-turns.ts";
import type { Strike } from "../roles/checks/strikes.ts";
import type { Stage2, ValidatorReviewReply } from "../schemas/stage2.ts";
import type { Setup } from "./setup.ts";

/** Stage 2: the three reviews side by side, each given Stage 1 and what the debate made of it (sentiment spec §5). */
export async function askReviews(
  { debate, roles, config }: Setup,
  turns: CaseTurns,
): Promise<{ stage2: Stage2; strikes: Strike[] }> {
  const { text, language_code, stage1 } = turns;
  const language = languageOf(language_code);
  const review_context = turns.debate && buildReviewContext({ text, language, stage1, debate: turns.debate });
  if (review_context) debate.note("review_context", review_context.mapping_stats);
  const context = toDebateContext(text, stage1);
  const input = { text, language_code, stage1, context, debate: turns.debate, review_context };
  const [aspects, sentiments, validation] = await debate.round(config.debate.rounds + 2, () =>
    Promise.all([
      debate.tryAsk(roles.ateReview, input),
      debate.tryAsk(roles.atsaReview, input),
      config.enable_validator ? debate.tryAsk(roles.validatorReview, input) : null,
    ]),
  );
  const { struck = [], ...validator } = validation ?? {};
  return {
    stage2: {
      aspect_review: aspects?.aspect_review ?? [],
      sentiment_review: sentiments?.sentiment_review ?? [],
      validator: validation && (validator as ValidatorReviewReply),
    },
    strikes: [...(aspects?.struck ?? []), ...(sentiments?.struck ?? []), ...struck],
  };
}
