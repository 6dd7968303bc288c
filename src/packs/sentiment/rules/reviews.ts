/** Applies the requests of the Validator and the reviewers, logging every change and refusal (sentiment spec §5). */
import type { Material } from "../schemas/material.ts";
import type { Correction, Thresholds } from "../schemas/output.ts";
import type { Aspect, Polarity, Sentiment, Span, Stage1, StructuralRisk } from "../schemas/stage1.ts";
import type { ReviewContext, Stage2 } from "../schemas/stage2.ts";
import type { AspectMatcher } from "./matcher.ts";
import {
  findQuote,
  findTerm,
  findUnfit,
  isInside,
  listPlaces,
  listQuoted,
  overlaps,
  saysMore,
  snapToWords,
} from "./text.ts";
import {
  canonicalisePolarity,
  createSentiment,
  findMostConfident,
  flipPolarity,
  isBelow,
  keepStated,
  listPolarities,
  pickOwn,
} from "./tuples.ts";

type WorkingList = { aspects: Aspect[]; sentiments: Sentiment[] };

export type Reviewed = WorkingList & { corrections: Correction[]; resolved: StructuralRisk[]; resolving: string[] };

type ReviewsInput = {
  material: Material;
  stage1: Stage1;
  stage2: Stage2;
  review_context: ReviewContext | null;
  matcher: AspectMatcher;
  thresholds: Thresholds;
};

type Request = Pick<Correction, "asked_by" | "proposal_type" | "rationale"> & {
  aspect: string;
  polarity: Polarity | null;
  span: Span | null;
  evidence: string | null;
};

type Change = Pick<Correction, "applied" | "reason"> &
  Partial<Pick<Correction, "resulting_polarity" | "resulting_term">>;

const refuse = (reason: string): Change => ({ applied: false, reason });

const addedConfidence = 0.6;

export function applyReviews(input: ReviewsInput): Reviewed {
  const list: WorkingList = {
    aspects: [...input.stage1.aspects],
    sentiments: [...input.stage1.aspect_sentiments],
  };
  const requests = listRequests(input);
  const corrections = requests.map((request): Correction => {
    const { asked_by, proposal_type, aspect, rationale } = request;
    const isSeconded = requests.some(
      (other) => other.asked_by !== asked_by && other.aspect === aspect && other.proposal_type === proposal_type,
    );
    const change = make(input, list, { ...request, isSeconded });
    const asked = { asked_by, proposal_type, target_aspect: aspect, rationale };
    return { ...asked, resulting_polarity: null, resulting_term: null, ...change };
  });
  return { ...list, corrections, ...findResolved(input, list, corrections) };
}

const aspectRequests: Record<string, string> = { revise_span: "REVISE_SPAN", drop: "DROP_ASPECT", add: "ADD_ASPECT" };
const sentimentRequests: Record<string, string> = {
  flip_polarity: "FLIP_POLARITY",
  drop: "DROP_SENTIMENT",
  add: "ADD_SENTIMENT",
};

function listRequests({ stage1, stage2 }: ReviewsInput): Request[] {
  const empty = { polarity: null, span: null, evidence: null };
  const proposed = (stage1.validator?.correction_proposals ?? []).map((one): Request => {
    const { proposal_type, target_aspect: aspect, rationale, revised_span: span } = one;
    return { ...empty, asked_by: "validator", proposal_type, aspect, rationale, span };
  });
  const aspects = stage2.aspect_review.map(
    ({ term: aspect, action, reason: rationale, revised_span: span }): Request => {
      return { ...empty, asked_by: "ate_review", proposal_type: aspectRequests[action] ?? "", aspect, rationale, span };
    },
  );
  const sentiments = stage2.sentiment_review.map((one): Request => {
    const { aspect_ref: aspect, action, reason: rationale, evidence } = one;
    const polarity = canonicalisePolarity(one.revised_polarity);
    const proposal_type = sentimentRequests[action] ?? "";
    return { asked_by: "atsa_review", proposal_type, aspect, rationale, polarity, span: null, evidence };
  });
  return [...proposed, ...aspects, ...sentiments].filter(({ proposal_type }) => proposal_type in changes);
}

type Seconded = Request & { isSeconded: boolean };

function make(input: ReviewsInput, list: WorkingList, request: Seconded): Change {
  const { aspect, evidence, polarity } = request;
  const about = { aspect, others: input.matcher.terms, polarity };
  const unfit = evidence === null ? null : findUnfit(input.material, evidence, about);
  if (unfit !== null) return refuse(unfit);
  return changes[request.proposal_type]?.(input, list, request) ?? refuse("unknown_action");
}

/**
 * One voice alone changes no polarity and drops nothing (sentiment spec §5). It needs another request, a vote of a
 * speaker or the judge, or the witness's reading; a change of polarity may also rest on a Stage 1 risk where the text
 * really turns, unless the witness reads the opposite.
 */
function isBacked(
  { material, stage1, review_context }: ReviewsInput,
  request: Seconded,
  polarity: Polarity | null,
): boolean {
  const { aspect, isSeconded } = request;
  const { inFavour, against } = countVotes(review_context, aspect, polarity);
  const isVoted = inFavour > against;
  const places = listPlaces(material.text, aspect);
  const isRead = (as: Polarity | null) =>
    as !== null &&
    material.witness.aspects.some((one) => one.polarity === as && places.some((at) => overlaps(at, one)));
  const grounds = listGrounds(material.text, stage1, aspect);
  const isDenied = isRead(flipPolarity(polarity));
  const isTurned = (stage1.validator?.structural_risks ?? []).some(
    ({ scope }) =>
      grounds.some((place) => overlaps(place, scope)) &&
      material.turns.some((turn) => overlaps(turn, widen(material, scope))),
  );
  return isSeconded || isVoted || isRead(polarity) || (isTurned && polarity !== null && !isDenied);
}

/** The weight of the votes for a polarity of an aspect, or for its removal (null), and of those for anything else. */
function countVotes(context: ReviewContext | null, aspect: string, polarity: Polarity | null) {
  const votes = pickOwn(context?.aspect_hints ?? {}, aspect) ?? [];
  const sum = (isFor: boolean) =>
    votes
      .filter((vote) => isFor === (polarity === null ? vote.removal : vote.polarity_hint === polarity))
      .reduce((total, { weight }) => total + weight, 0);
  return { inFavour: sum(true), against: sum(false) };
}

/** True when the debate stands against a request as strongly as it must to override (sentiment spec §6). */
function isOutvoted({ review_context, thresholds }: ReviewsInput, aspect: string, polarity: Polarity | null): boolean {
  const { inFavour, against } = countVotes(review_context, aspect, polarity);
  return (
    !isBelow(inFavour + against, thresholds.min_total) &&
    !isBelow(against - inFavour, Math.max(0.1, thresholds.min_margin))
  );
}

/** Why a change of polarity or a drop (null) may not be made; null when it may. */
function findObstacle(input: ReviewsInput, request: Seconded, polarity: Polarity | null): string | null {
  if (isOutvoted(input, request.aspect, polarity)) return "outvoted";
  return isBacked(input, request, polarity) ? null : "needs_a_second_voice";
}

function widen({ clauses }: Material, place: Span): Span {
  const touched = clauses.filter((clause) => overlaps(clause, place));
  return {
    start: Math.min(place.start, ...touched.map(({ start }) => start)),
    end: Math.max(place.end, ...touched.map(({ end }) => end)),
  };
}

const changes: Record<string, (input: ReviewsInput, list: WorkingList, request: Seconded) => Change> = {
  FLIP_POLARITY: setPolarity,
  DROP_ASPECT: drop,
  DROP_SENTIMENT: drop,
  REVISE_SPAN: reviseSpan,
  ADD_ASPECT: addAspect,
  ADD_SENTIMENT: addSentiment,
};

function drop(input: ReviewsInput, list: WorkingList, request: Seconded): Change {
  const { aspect, proposal_type } = request;
  const obstacle = findObstacle(input, request, null);
  if (obstacle !== null) return refuse(obstacle);
  const before = list.aspects.length + list.sentiments.length;
  if (proposal_type === "DROP_ASPECT") list.aspects = list.aspects.filter((one) => one.term !== aspect);
  list.sentiments = list.sentiments.filter((sentiment) => sentiment.aspect_ref !== aspect);
  const isGone = list.aspects.length + list.sentiments.length < before;
  return isGone ? { applied: true, reason: "dropped" } : refuse("nothing_to_drop");
}

function addAspect(
  { material }: ReviewsInput,
  list: WorkingList,
  { aspect, span: given, rationale }: Seconded,
): Change {
  const { text } = material;
  const isOn = given && isInside(text, given) && listPlaces(text, aspect).some((one) => overlaps(one, given));
  const place = isOn ? given : findTerm(text, aspect);
  const span = place && snapToWords(material, place);
  if (span === null) return refuse("span_cuts_a_word");
  const term = text.slice(span.start, span.end);
  if (list.aspects.some((one) => one.term === term)) return refuse("already_there");
  const added = { term, span, normalized: null, syntactic_head: null, confidence: addedConfidence, rationale };
  list.aspects = [...list.aspects, added];
  return { applied: true, reason: "added" };
}

/** An addition needs words of the text about the aspect, as evidence or quoted in the reason. */
function addSentiment({ material, matcher, thresholds }: ReviewsInput, list: WorkingList, request: Seconded): Change {
  const { aspect, polarity, evidence: given, rationale } = request;
  if (polarity === null) return refuse("no_revised_polarity");
  const about = { aspect, others: matcher.terms, polarity };
  const quotes = [given ?? "", ...listQuoted(rationale)].map((words) => findQuote(material.text, words) ?? "");
  const evidence = quotes.find((words) => saysMore(words, aspect) && findUnfit(material, words, about) === null);
  if (evidence === undefined) return refuse("no_evidence");
  if (keepStated(list.sentiments, aspect).length > 0) return refuse("already_there");
  const sure = list.aspects.find((one) => one.term === aspect)?.confidence ?? addedConfidence;
  const added = createSentiment(aspect, polarity, { evidence, confidence: Math.min(sure, thresholds.min_target_conf) });
  list.sentiments = [...list.sentiments, added];
  return { applied: true, reason: "added", resulting_polarity: polarity };
}

/** Sets an aspect's polarity, by default the opposite; its sentiments become one. */
function setPolarity(input: ReviewsInput, list: WorkingList, request: Seconded): Change {
  const { aspect } = request;
  const current = findMostConfident(keepStated(list.sentiments, aspect));
  if (current === null) return refuse("no_sentiment");
  const first = findMostConfident(keepStated(input.stage1.aspect_sentiments, aspect)) ?? current;
  const polarity = request.polarity ?? flipPolarity(first.polarity);
  if (polarity === null) return refuse("no_opposite_polarity");
  if (current.polarity === polarity) return refuse("already_so");
  const obstacle = findObstacle(input, request, polarity);
  if (obstacle !== null) return refuse(obstacle);
  const changed = {
    ...current,
    polarity,
    polarity_distribution: null,
    confidence: Math.min(current.confidence, input.thresholds.min_target_conf),
  };
  list.sentiments = list.sentiments
    .filter((sentiment) => sentiment === current || sentiment.aspect_ref !== aspect)
    .map((sentiment) => (sentiment === current ? changed : sentiment));
  return { applied: true, reason: "polarity_changed", resulting_polarity: polarity };
}

/** Moves an aspect to overlapping whole words of the text; it keeps its name. */
function reviseSpan({ material }: ReviewsInput, list: WorkingList, { aspect, span: given }: Seconded): Change {
  const { text } = material;
  const found = list.aspects.find((one) => one.term === aspect);
  if (given === null) return refuse("no_revised_span");
  if (!found) return refuse("no_such_aspect");
  if (!isInside(text, given)) return refuse("span_outside_text");
  const span = snapToWords(material, given);
  const term = span === null ? "" : text.slice(span.start, span.end);
  if (span === null || term.trim() === "") return refuse("span_cuts_a_word");
  const places = [found.span, ...listPlaces(text, found.syntactic_head ?? "")];
  if (!places.some((place) => overlaps(place, span))) return refuse("span_off_the_aspect");
  if (found.span.start === span.start && found.span.end === span.end) return refuse("already_so");
  list.aspects = list.aspects.map((one) => (one === found ? { ...one, span } : one));
  return { applied: true, reason: "span_revised", resulting_term: term };
}

const resolvers = ["FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN"];

/** Stage 1 risks that a change resolved: its aspect overlaps the risk, and it differs from Stage 1 in the end (sentiment spec §7). */
function findResolved({ material, stage1 }: ReviewsInput, list: WorkingList, corrections: readonly Correction[]) {
  const risks = stage1.validator?.structural_risks ?? [];
  const describe = ({ aspects, sentiments }: WorkingList, aspect: string) => {
    const places = aspects.filter((one) => one.term === aspect).map(({ span }) => `${span.start}-${span.end}`);
    return [...places, ...listPolarities(sentiments, aspect)].join();
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

function listGrounds(text: string, stage1: Stage1, aspect: string): Span[] {
  const own = stage1.aspect_sentiments.filter((sentiment) => sentiment.aspect_ref === aspect);
  const places = [
    ...stage1.aspects.filter((one) => one.term === aspect).map((one) => one.span),
    ...own.flatMap(({ opinion_term, evidence }) => [opinion_term?.span ?? null, findTerm(text, evidence.trim())]),
  ].filter((span) => span !== null);
  return places.length > 0 ? places : listPlaces(text, aspect);
}
