import type { Reviewed } from "../../schemas/role-inputs.ts";
import type { AspectReview, AteReviewReply } from "../../schemas/stage2.ts";
import { isDoubtfulTarget } from "../../../../knowledge/opinions/index.ts";
import { viewDebate } from "../patch/debate-views.ts";
import { toDebateContext } from "../../rules/review/review-context.ts";
import { isRemovedByDebate } from "./debate-word.ts";

/** ATE review as a program: keeps what is a target, drops what the debate and its own look agree is not one (sentiment spec §5). */
export function reviewAspects(input: Reviewed): AteReviewReply {
  const views = viewDebate(input.text, input.language_code, toDebateContext(input.text, input.stage1));
  const named = views.filter((view) => view.term !== "" && view.spans.length > 0);
  const reviews = named.map((view): AspectReview => {
    const doubtful = isDoubtfulTarget(input.text, input.language_code, view);
    const removed = isRemovedByDebate(input, view.term);
    const drop = doubtful && (removed || input.review_context === null);
    const reason = drop ? "nothing in the text judges it, and reviews hardly ever do" : "a target of the text";
    return { term: view.term, action: drop ? "drop" : "keep", revised_span: null, reason, provenance: null };
  });
  return { aspect_review: reviews };
}
