/** Applies what the Validator and the reviewers ask for; every change or refusal is logged (sentiment spec §5). */
import type { Material } from "../schemas/material.ts";
import type { Correction } from "../schemas/output.ts";
import type {
  Aspect,
  CorrectionProposal,
  Polarity,
  Sentiment,
  Span,
  Stage1,
  StructuralRisk,
} from "../schemas/stage1.ts";
import type { AspectReview, ReviewContext, SentimentReview, Stage2 } from "../schemas/stage2.ts";
import type { AspectMatcher } from "./matcher.ts";
import { findQuote, findTerm, findUnfit, isInside, listPlaces, listQuoted, overlaps, snapToWords } from "./text.ts";
import {
  canonicalisePolarity,
  createSentiment,
  findMostConfident,
  flipPolarity,
  keepStated,
  listPolarities,
  pickOwn,
  type Stated,
} from "./tuples.ts";

/** What corrections and reviews work on. An aspect keeps its name through all stages; a revised span moves its place. */
type WorkingList = { aspects: Aspect[]; sentiments: Sentiment[] };

/** The list after the reviews, with all that was changed or refused, and the risks of Stage 1 that a change resolved. */
export type Reviewed = WorkingList & { corrections: Correction[]; resolved: StructuralRisk[]; resolving: string[] };

type Change = { applied: boolean; reason: string; polarity?: Polarity; term?: string };

const refuse = (reason: string): Change => ({ applied: false, reason });

type ReviewsInput = {
  material: Material;
  stage1: Stage1;
  stage2: Stage2;
  review_context: ReviewContext | null;
  matcher: AspectMatcher;
  /** The most that a changed sentiment may be sure. */
  cap: number;
};

/** The confidence of what a reviewer adds where Stage 1 gave none. */
const addedConfidence = 0.6;

/** Validator proposals first, then ATE reviews, then ATSA reviews. */
export function applyReviews(input: ReviewsInput): Reviewed {
  const { stage1, stage2, matcher } = input;
  const nameOf = (term: string) => matcher.resolve(term).aspect ?? term;
  const list: WorkingList = { aspects: [...stage1.aspects], sentiments: [...stage1.aspect_sentiments] };
  const corrections: Correction[] = [];
  const log = (
    asked: Pick<Correction, "asked_by" | "proposal_type" | "target_aspect" | "rationale" | "provenance">,
    { applied, reason, polarity, term }: Change,
  ) => {
    const result = { resulting_polarity: polarity ?? null, resulting_term: term ?? null };
    corrections.push({ ...asked, applied, reason, ...result });
  };
  for (const proposal of stage1.validator?.correction_proposals ?? []) {
    const { proposal_type, target_aspect, rationale } = proposal;
    const asked = { asked_by: "validator", proposal_type, target_aspect, rationale, provenance: null };
    log(asked, applyProposal(input, list, proposal));
  }
  for (const review of stage2.aspect_review) {
    if (review.action === "keep") continue;
    const proposal_type = aspectChanges[review.action] ?? review.action;
    const asked = {
      asked_by: "ate_review",
      proposal_type,
      target_aspect: nameOf(review.term),
      rationale: review.reason,
    };
    const provenance = findProvenance(review.provenance, review.term, input);
    log({ ...asked, provenance }, applyAspectReview(input, list, review));
  }
  for (const review of stage2.sentiment_review) {
    if (review.action === "maintain") continue;
    const proposal_type = sentimentChanges[review.action] ?? review.action;
    const asked = {
      asked_by: "atsa_review",
      proposal_type,
      target_aspect: nameOf(review.aspect_ref),
      rationale: review.reason,
    };
    const provenance = findProvenance(review.provenance, review.aspect_ref, input);
    log({ ...asked, provenance }, applySentimentReview(input, list, review));
  }
  return { ...list, corrections, ...findResolved(input, list, corrections) };
}

const aspectChanges: Record<string, string> = { revise_span: "REVISE_SPAN", drop: "DROP_ASPECT", add: "ADD_ASPECT" };
const sentimentChanges: Record<string, string> = {
  flip_polarity: "FLIP_POLARITY",
  drop: "DROP_SENTIMENT",
  add: "ADD_SENTIMENT",
};

function applyProposal(input: ReviewsInput, list: WorkingList, proposal: CorrectionProposal): Change {
  const aspect = proposal.target_aspect;
  if (proposal.proposal_type === "FLIP_POLARITY") return setPolarity(input, list, aspect, null);
  if (proposal.proposal_type === "DROP_ASPECT") return dropAspect(list, aspect, "aspect");
  return reviseSpan(input, list, aspect, proposal.revised_span);
}

function applyAspectReview(input: ReviewsInput, list: WorkingList, review: AspectReview): Change {
  const { aspect } = input.matcher.resolve(review.term);
  if (aspect === null) return refuse("unknown_aspect");
  if (review.action === "drop") return dropAspect(list, aspect, "aspect");
  if (review.action === "revise_span") return reviseSpan(input, list, aspect, review.revised_span);
  if (review.action !== "add") return refuse("unknown_action");
  const { text } = input.material;
  const given = review.revised_span;
  const place = given && isInside(text, given) ? given : findTerm(text, aspect);
  const span = place && snapToWords(input.material, place);
  if (span === null) return refuse("span_cuts_a_word");
  const term = text.slice(span.start, span.end);
  if (list.aspects.some((one) => one.term === term)) return refuse("already_there");
  const added = { term, span, normalized: null, syntactic_head: null, confidence: addedConfidence };
  list.aspects = [...list.aspects, { ...added, rationale: review.reason }];
  return { applied: true, reason: "added" };
}

function applySentimentReview(input: ReviewsInput, list: WorkingList, review: SentimentReview): Change {
  const aspect = review.aspect_ref.trim() === "" ? "" : input.matcher.resolve(review.aspect_ref).aspect;
  if (aspect === null) return refuse("unknown_aspect");
  const polarity = canonicalisePolarity(review.revised_polarity);
  if (polarity === null && review.revised_polarity !== null) return refuse("invalid_polarity");
  if (review.action === "drop") return dropAspect(list, aspect, "sentiment");
  if (review.action === "flip_polarity") return setPolarity(input, list, aspect, polarity);
  if (review.action !== "add") return refuse("unknown_action");
  if (polarity === null) return refuse("no_revised_polarity");
  const evidence = findReviewQuote(input, review, aspect, polarity);
  if (evidence === null) return refuse("no_evidence");
  if (findCurrent(list, aspect)) return refuse("already_there");
  const sure = list.aspects.find((one) => one.term === aspect)?.confidence ?? addedConfidence;
  const added = createSentiment(aspect, polarity, { evidence, confidence: Math.min(sure, input.cap) });
  list.sentiments = [...list.sentiments, added];
  return { applied: true, reason: "added", polarity };
}

/** The words of the text that a reviewer gives for what it adds: as evidence, or quoted in its reason. */
function findReviewQuote(
  { material, matcher }: ReviewsInput,
  { evidence, reason }: SentimentReview,
  aspect: string,
  polarity: Polarity,
): string | null {
  const about = { aspect, others: matcher.terms, polarity };
  const quotes = [evidence ?? "", ...listQuoted(reason)].map((words) => findQuote(material.text, words) ?? "");
  return quotes.find((words) => words.length >= 2 && findUnfit(material, words, about) === null) ?? null;
}

/** `source:<speaker>/<stance>`: as the reviewer says, else the first vote of the debate on that aspect. */
function findProvenance(said: string | null, name: string, { matcher, review_context }: ReviewsInput): string | null {
  if (said !== null && said.trim() !== "") return said;
  const hints = pickOwn(review_context?.aspect_hints ?? {}, matcher.resolve(name).aspect ?? "");
  return hints?.[0]?.provenance_hint ?? null;
}

function findCurrent(list: WorkingList, aspect: string): Stated | null {
  return findMostConfident(keepStated(list.sentiments, aspect));
}

/** Gives an aspect another polarity, its opposite unless one is given; all its sentiments become the one that was changed, no surer than an override. */
function setPolarity({ cap }: ReviewsInput, list: WorkingList, aspect: string, given: Polarity | null): Change {
  const current = findCurrent(list, aspect);
  if (current === null) return refuse("no_sentiment");
  const polarity = given ?? flipPolarity(current.polarity);
  if (polarity === null) return refuse("no_opposite_polarity");
  if (current.polarity === polarity) return refuse("already_so");
  const changed = { ...current, polarity, polarity_distribution: null, confidence: Math.min(current.confidence, cap) };
  list.sentiments = list.sentiments
    .filter((sentiment) => sentiment === current || sentiment.aspect_ref !== aspect)
    .map((sentiment) => (sentiment === current ? changed : sentiment));
  return { applied: true, reason: "polarity_changed", polarity };
}

/** Removes an aspect with its sentiments, or its sentiments only. */
function dropAspect(list: WorkingList, aspect: string, what: "aspect" | "sentiment"): Change {
  const before = list.aspects.length + list.sentiments.length;
  if (what === "aspect") list.aspects = list.aspects.filter((one) => one.term !== aspect);
  list.sentiments = list.sentiments.filter((sentiment) => sentiment.aspect_ref !== aspect);
  const isGone = list.aspects.length + list.sentiments.length < before;
  return isGone ? { applied: true, reason: "dropped" } : refuse("nothing_to_drop");
}

/** Moves an aspect to words of the text that overlap it or its head, from word to word; it keeps its name. */
function reviseSpan({ material }: ReviewsInput, list: WorkingList, aspect: string, given: Span | null): Change {
  const { text } = material;
  const found = list.aspects.find((one) => one.term === aspect);
  if (given === null) return refuse("no_revised_span");
  if (!found) return refuse("no_such_aspect");
  if (!isInside(text, given)) return refuse("span_outside_text");
  const span = snapToWords(material, given);
  if (span === null || text.slice(span.start, span.end).trim() === "") return refuse("span_cuts_a_word");
  const places = [found.span, ...listPlaces(text, found.syntactic_head ?? "")];
  if (!places.some((place) => overlaps(place, span))) return refuse("span_off_the_aspect");
  if (found.span.start === span.start && found.span.end === span.end) return refuse("already_so");
  list.aspects = list.aspects.map((one) => (one === found ? { ...one, span } : one));
  return { applied: true, reason: "span_revised", term: text.slice(span.start, span.end) };
}

const resolvers = ["FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN"];

/** The Stage 1 risks that a change resolved: its aspect overlaps the risk, and in the end it differs from Stage 1 (sentiment spec §7). */
function findResolved({ material, stage1 }: ReviewsInput, list: WorkingList, corrections: readonly Correction[]) {
  const risks = stage1.validator?.structural_risks ?? [];
  const describe = ({ aspects, sentiments }: WorkingList, aspect: string) => {
    const places = aspects.filter((one) => one.term === aspect).map(({ span }) => `${span.start}-${span.end}`);
    return [...places, ...listPolarities(sentiments, [aspect])].join();
  };
  const before = { aspects: stage1.aspects, sentiments: stage1.aspect_sentiments };
  const changed = corrections
    .filter((one) => one.applied && resolvers.includes(one.proposal_type))
    .map((one) => one.target_aspect)
    .filter((aspect) => describe(before, aspect) !== describe(list, aspect));
  const touches = (aspect: string, risk: StructuralRisk) =>
    listGrounds(material.text, stage1, aspect).some((place) => overlaps(place, risk.scope));
  return {
    resolved: risks.filter((risk) => changed.some((aspect) => touches(aspect, risk))),
    resolving: [...new Set(changed)].filter((aspect) => risks.some((risk) => touches(aspect, risk))),
  };
}

/** Where an aspect and what was said of it stand. */
function listGrounds(text: string, stage1: Stage1, aspect: string): Span[] {
  const own = stage1.aspect_sentiments.filter((sentiment) => sentiment.aspect_ref === aspect);
  const places = [
    ...stage1.aspects.filter((one) => one.term === aspect).map((one) => one.span),
    ...own.flatMap(({ opinion_term, evidence }) => [opinion_term?.span ?? null, findTerm(text, evidence.trim())]),
  ].filter((span) => span !== null);
  return places.length > 0 ? places : listPlaces(text, aspect);
}
