import type { Reviewed } from "../../schemas/role-inputs.ts";
import type { AtsaReviewReply, SentimentReview } from "../../schemas/stage2.ts";
import { judgeByStructure } from "../../../../knowledge/opinions/index.ts";
import { viewDebate } from "../patch/debate-views.ts";
import { findStage1Polarity } from "../patch/edits.ts";
import { toDebateContext } from "../../rules/review/review-context.ts";
import { isOpposedByDebate } from "./debate-word.ts";

/** ATSA review as a program: reads each aspect anew by structure, and changes Stage 1 where the debate does not speak against it (sentiment spec §5). */
export function reviewSentiments(input: Reviewed): AtsaReviewReply {
  const context = toDebateContext(input.text, input.stage1);
  const views = viewDebate(input.text, input.language_code, context);
  const reviews = views.map((view): SentimentReview => {
    const stated = findStage1Polarity(context, view.term)?.polarity ?? null;
    const { polarity, via } = view.scoped;
    const words = view.scoped.opinions.map((opinion) => `"${opinion.term}"`).join(", ");
    const keep = {
      aspect_ref: view.term,
      action: "maintain",
      revised_polarity: null,
      reason: words === "" ? "nothing in the text says otherwise" : `${words} (${via})`,
      provenance: null,
    };
    const wanted = judgeByStructure(view);
    if (wanted === null || wanted === stated || (wanted === "neutral" && stated === null)) return keep;
    if (isOpposedByDebate(input, view.term, wanted)) return keep;
    const action = stated === null ? "add" : "flip_polarity";
    const reason =
      polarity === null
        ? `the opinions of the text belong to something else than "${view.term}"`
        : `${words} reads ${polarity} (${via})`;
    return { aspect_ref: view.term, action, revised_polarity: wanted, reason, provenance: null };
  });
  return { sentiment_review: reviews };
}
