import { canonicalisePolarity, flipPolarity } from "../tuples/canonical-polarity.ts";
import type { Correction } from "../../schemas/outcome.ts";
import type { CorrectionProposal, Stage1 } from "../../schemas/stage1.ts";
import type { AspectReview, ReviewContext, SentimentReview, Stage2 } from "../../schemas/stage2.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";
import { findTerm, isInside } from "../tuples/find-term.ts";
import { pickOwn } from "../tuples/pick-own.ts";
import { identify, showName } from "../tuples/shown-names.ts";
import { createSentiment } from "../tuples/stated.ts";
import {
  addAspect,
  addSentiment,
  type Change,
  findCurrent,
  dropAspect,
  refuse,
  reviseSpan,
  setPolarity,
  type WorkingList,
} from "./working-list.ts";

export type ReviewsInput = {
  text: string;
  stage1: Stage1;
  stage2: Stage2;
  review_context: ReviewContext | null;
  matcher: AspectMatcher;
};

/** The confidence of what a reviewer adds where Stage 1 gave none. */
const addedConfidence = 0.6;

/** Applies validator proposals, then ATE reviews, then ATSA reviews; every change or refusal is logged (sentiment spec §5). */
export function applyReviews(input: ReviewsInput): WorkingList & { corrections: Correction[] } {
  const { stage1, stage2 } = input;
  const list: WorkingList = {
    aspects: [...stage1.aspects],
    sentiments: [...stage1.aspect_sentiments],
    names: new Map(),
  };
  const corrections: Correction[] = [];
  for (const proposal of stage1.validator?.correction_proposals ?? [])
    corrections.push(writeCorrection(proposal, proposal.rationale, null, applyProposal(input.text, list, proposal)));
  for (const review of stage2.aspect_review) {
    const entry = { proposal_type: aspectTypes[review.action] ?? review.action, target_aspect: review.term };
    const change = applyAspectReview(input, list, review);
    if (change) corrections.push(writeCorrection(entry, review.reason, findProvenance(review, input), change));
  }
  for (const review of stage2.sentiment_review) {
    const entry = { proposal_type: sentimentTypes[review.action] ?? review.action, target_aspect: review.aspect_ref };
    const change = applySentimentReview(input, list, review);
    if (change) corrections.push(writeCorrection(entry, review.reason, findProvenance(review, input), change));
  }
  return { ...list, corrections };
}

const aspectTypes: Record<string, string> = { revise_span: "REVISE_SPAN", drop: "DROP_ASPECT", add: "ADD_ASPECT" };
const sentimentTypes: Record<string, string> = {
  flip_polarity: "FLIP_POLARITY",
  drop: "DROP_SENTIMENT",
  add: "ADD_SENTIMENT",
};

function applyProposal(text: string, list: WorkingList, proposal: CorrectionProposal): Change {
  const aspect = identify(list.names, proposal.target_aspect);
  switch (proposal.proposal_type) {
    case "FLIP_POLARITY":
      return setPolarity(list, aspect, flipPolarity(findCurrent(list, aspect)?.polarity ?? null));
    case "DROP_ASPECT":
      return dropAspect(list, aspect, "aspect");
    case "REVISE_SPAN":
      return reviseSpan(text, list, aspect, proposal.revised_span);
    default:
      return refuse("unknown_proposal_type");
  }
}

/** Null when there is nothing to do. */
function applyAspectReview(input: ReviewsInput, list: WorkingList, review: AspectReview): Change | null {
  if (review.action === "keep") return null;
  const aspect = findAspect(input, list, review.term);
  if (aspect === null) return refuse("unknown_aspect");
  if (review.action === "drop") return dropAspect(list, aspect, "aspect");
  if (review.action === "revise_span") return reviseSpan(input.text, list, aspect, review.revised_span);
  if (review.action !== "add") return refuse("unknown_action");
  const given = review.revised_span;
  const span = given && isInside(input.text, given) ? given : findTerm(input.text, aspect);
  if (span === null) return refuse("unknown_aspect");
  const term = input.text.slice(span.start, span.end);
  return addAspect(list, {
    term,
    span,
    normalized: null,
    syntactic_head: null,
    confidence: addedConfidence,
    rationale: review.reason,
  });
}

function applySentimentReview(input: ReviewsInput, list: WorkingList, review: SentimentReview): Change | null {
  if (review.action === "maintain") return null;
  const aspect = review.aspect_ref.trim() === "" ? "" : findAspect(input, list, review.aspect_ref);
  if (aspect === null) return refuse("unknown_aspect");
  const revised = canonicalisePolarity(review.revised_polarity);
  if (revised === null && review.revised_polarity !== null) return refuse("invalid_polarity");
  if (review.action === "drop") return dropAspect(list, aspect, "sentiment");
  if (review.action === "flip_polarity")
    return setPolarity(list, aspect, revised ?? flipPolarity(findCurrent(list, aspect)?.polarity ?? null));
  if (review.action !== "add") return refuse("unknown_action");
  if (revised === null) return refuse("no_revised_polarity");
  const shown = showName(list.names, aspect);
  const confidence = list.aspects.find((one) => one.term === shown)?.confidence ?? addedConfidence;
  return addSentiment(list, createSentiment(aspect, revised, { evidence: "", confidence }));
}

/** The aspect that a reviewer means, by its first or by its present name. */
function findAspect({ matcher }: ReviewsInput, { names }: WorkingList, name: string): string | null {
  const own = identify(names, name.trim());
  const { aspect } = matcher.resolve(own);
  return aspect === null ? null : identify(names, aspect);
}

/** `source:<speaker>/<stance>`: as the reviewer says, else the first vote of the debate on that aspect. */
function findProvenance(review: AspectReview | SentimentReview, input: ReviewsInput): string | null {
  if (review.provenance !== null && review.provenance.trim() !== "") return review.provenance;
  const { aspect } = input.matcher.resolve("term" in review ? review.term : review.aspect_ref);
  const hints = aspect === null ? undefined : pickOwn(input.review_context?.aspect_hints ?? {}, aspect);
  return hints?.[0]?.provenance_hint ?? null;
}

function writeCorrection(
  entry: { proposal_type: string; target_aspect: string },
  rationale: string,
  provenance: string | null,
  change: Change,
): Correction {
  return {
    proposal_type: entry.proposal_type,
    target_aspect: entry.target_aspect,
    rationale,
    applied: change.applied,
    reason: change.reason,
    resulting_polarity: change.resulting_polarity,
    resulting_term: change.resulting_term ?? null,
    provenance,
  };
}
