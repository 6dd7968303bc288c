/** Applies what the Validator and the reviewers ask for; every change or refusal is logged (sentiment spec §5). */
import type { DebateOutput, PatchDebate } from "../schemas/debate.ts";
import type { Correction } from "../schemas/output.ts";
import type { Material } from "../schemas/material.ts";
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
import { findQuote, findTerm, findUnfit, isInside, listPlaces, overlaps, snapToWords } from "./text.ts";
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

/** The words that an aspect is shown under, by the name it had first; an aspect that is not here is shown under its own. */
export type ShownNames = ReadonlyMap<string, string>;

/** The aspect that a name stands for: the one that is shown under it, else the name itself. */
export function identify(names: ShownNames, name: string): string {
  return [...names].find(([, shown]) => shown === name)?.[0] ?? name;
}

/** The words that an aspect is shown under. */
export function showName(names: ShownNames, aspect: string): string {
  return names.get(aspect) ?? aspect;
}

/** The sentiments under the words that are shown. */
export function showNames<S extends Sentiment>(names: ShownNames, sentiments: readonly S[]): S[] {
  return sentiments.map((one) => ({ ...one, aspect_ref: showName(names, one.aspect_ref) }));
}

/** A debate in which every name is the aspect's first one, so that a vote on its later words is a vote on it. */
export function identifyDebate(names: ShownNames, debate: DebateOutput): DebateOutput {
  if (names.size === 0 || debate.style === "stance") return debate;
  const own = (name: string) => identify(names, name.trim());
  const named = <T extends { aspect_ref: string }>(one: T): T => ({ ...one, aspect_ref: own(one.aspect_ref) });
  const edited = <E extends { target: { aspect_ref: string }; value: string | null }>(edit: E): E => ({
    ...edit,
    target: named(edit.target),
    value: edit.value === null ? null : own(edit.value),
  });
  const { summary } = debate;
  const rounds = debate.rounds.map((round) => ({
    ...round,
    turns: round.turns.map((turn) => ({ ...turn, proposed_edits: turn.proposed_edits.map(edited) })),
  }));
  return { ...debate, rounds, summary: summary && identifySummary(summary, { own, named, edited }) };
}

function identifySummary(
  summary: NonNullable<PatchDebate["summary"]>,
  by: {
    own(name: string): string;
    named<T extends { aspect_ref: string }>(one: T): T;
    edited<E extends { target: { aspect_ref: string }; value: string | null }>(edit: E): E;
  },
): NonNullable<PatchDebate["summary"]> {
  const evidence = Object.entries(summary.aspect_evidence).map(([name, span]) => [by.own(name), span]);
  return {
    ...summary,
    final_patch: summary.final_patch.map(by.edited),
    final_tuples: summary.final_tuples.map((tuple) => ({ ...by.named(tuple), aspect_term: by.own(tuple.aspect_term) })),
    aspect_evidence: Object.fromEntries(evidence),
  };
}

/** What corrections and reviews work on: sentiments go by the name an aspect had first, whatever it is shown as. */
type WorkingList = { aspects: Aspect[]; sentiments: Sentiment[]; names: ShownNames };

/** The list after the reviews, with all that was changed or refused, and the risks of Stage 1 that a change resolved. */
export type Reviewed = WorkingList & { corrections: Correction[]; resolved: StructuralRisk[]; resolving: string[] };

type Change = { applied: boolean; reason: string; polarity?: Polarity; term?: string };

const refuse = (reason: string): Change => ({ applied: false, reason });
const accept = (reason: string, polarity?: Polarity): Change => ({
  applied: true,
  reason,
  ...(polarity && { polarity }),
});

export type ReviewsInput = {
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
  const { stage1, stage2 } = input;
  const list: WorkingList = {
    aspects: [...stage1.aspects],
    sentiments: [...stage1.aspect_sentiments],
    names: new Map(),
  };
  const corrections: Correction[] = [];
  const log = (
    asked_by: string,
    type: string,
    aspect: string,
    said: { why: string; provenance: string | null },
    change: Change,
  ) =>
    corrections.push({
      proposal_type: type,
      target_aspect: aspect,
      asked_by,
      rationale: said.why,
      applied: change.applied,
      reason: change.reason,
      resulting_polarity: change.polarity ?? null,
      resulting_term: change.term ?? null,
      provenance: said.provenance,
    });
  for (const proposal of stage1.validator?.correction_proposals ?? [])
    log(
      "validator",
      proposal.proposal_type,
      proposal.target_aspect,
      { why: proposal.rationale, provenance: null },
      applyProposal(input, list, proposal),
    );
  for (const review of stage2.aspect_review) {
    const said = { why: review.reason, provenance: findProvenance(review, review.term, input) };
    const change = applyAspectReview(input, list, review);
    if (change) log("ate_review", changeTypes[`aspect ${review.action}`] ?? review.action, review.term, said, change);
  }
  for (const review of stage2.sentiment_review) {
    const said = { why: review.reason, provenance: findProvenance(review, review.aspect_ref, input) };
    const change = applySentimentReview(input, list, review);
    if (change) log("atsa_review", changeTypes[review.action] ?? review.action, review.aspect_ref, said, change);
  }
  return { ...list, corrections, ...findResolved(input, list, corrections) };
}

const changeTypes: Record<string, string> = {
  "aspect revise_span": "REVISE_SPAN",
  "aspect drop": "DROP_ASPECT",
  "aspect add": "ADD_ASPECT",
  flip_polarity: "FLIP_POLARITY",
  drop: "DROP_SENTIMENT",
  add: "ADD_SENTIMENT",
};

function applyProposal(input: ReviewsInput, list: WorkingList, proposal: CorrectionProposal): Change {
  const aspect = identify(list.names, proposal.target_aspect);
  switch (proposal.proposal_type) {
    case "FLIP_POLARITY":
      return setPolarity(input, list, aspect, flipPolarity(findCurrent(list, aspect)?.polarity ?? null));
    case "DROP_ASPECT":
      return dropAspect(list, aspect, "aspect");
    case "REVISE_SPAN":
      return reviseSpan(input, list, aspect, proposal.revised_span);
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
  if (review.action === "revise_span") return reviseSpan(input, list, aspect, review.revised_span);
  if (review.action !== "add") return refuse("unknown_action");
  const { text } = input.material;
  const given = review.revised_span;
  const place = given && isInside(text, given) ? given : findTerm(text, aspect);
  const span = place && snapToWords(input.material, place);
  if (span === null) return refuse("span_cuts_a_word");
  const term = text.slice(span.start, span.end);
  if (list.aspects.some((one) => one.term === term) || list.names.has(term)) return refuse("already_there");
  const added = { term, span, normalized: null, syntactic_head: null, confidence: addedConfidence };
  list.aspects = [...list.aspects, { ...added, rationale: review.reason }];
  return accept("added");
}

function applySentimentReview(input: ReviewsInput, list: WorkingList, review: SentimentReview): Change | null {
  if (review.action === "maintain") return null;
  const aspect = review.aspect_ref.trim() === "" ? "" : findAspect(input, list, review.aspect_ref);
  if (aspect === null) return refuse("unknown_aspect");
  const revised = canonicalisePolarity(review.revised_polarity);
  if (revised === null && review.revised_polarity !== null) return refuse("invalid_polarity");
  if (review.action === "drop") return dropAspect(list, aspect, "sentiment");
  if (review.action === "flip_polarity")
    return setPolarity(input, list, aspect, revised ?? flipPolarity(findCurrent(list, aspect)?.polarity ?? null));
  if (review.action !== "add") return refuse("unknown_action");
  if (revised === null) return refuse("no_revised_polarity");
  const evidence = findReviewQuote(input, review, aspect, revised);
  if (evidence === null) return refuse("no_evidence");
  if (findCurrent(list, aspect)) return refuse("already_there");
  const shown = showName(list.names, aspect);
  const sure = list.aspects.find((one) => one.term === shown)?.confidence ?? addedConfidence;
  list.sentiments = [
    ...list.sentiments,
    createSentiment(aspect, revised, { evidence, confidence: Math.min(sure, input.cap) }),
  ];
  return accept("added", revised);
}

/** The words of the text that a reviewer gives for what it adds: as evidence, or quoted in its reason. */
function findReviewQuote(
  { material, matcher }: ReviewsInput,
  { evidence, reason }: SentimentReview,
  aspect: string,
  polarity: Polarity,
): string | null {
  const quoted = [...reason.matchAll(/["“‘'「『«]([^"”’'」』»]+)["”’'」』»]/g)].map((match) => match[1] ?? "");
  const about = { aspect, others: matcher.terms, polarity };
  const fit = [evidence ?? "", ...quoted]
    .map((words) => findQuote(material.text, words) ?? "")
    .find((words) => words.length >= 2 && findUnfit(material, words, about) === null);
  return fit ?? null;
}

/** The aspect that a reviewer means, by its first or by its present name. */
function findAspect({ matcher }: ReviewsInput, { names }: WorkingList, name: string): string | null {
  const { aspect } = matcher.resolve(identify(names, name.trim()));
  return aspect === null ? null : identify(names, aspect);
}

/** `source:<speaker>/<stance>`: as the reviewer says, else the first vote of the debate on that aspect. */
function findProvenance(
  { provenance }: { provenance: string | null },
  name: string,
  input: ReviewsInput,
): string | null {
  if (provenance !== null && provenance.trim() !== "") return provenance;
  const { aspect } = input.matcher.resolve(name);
  const hints = aspect === null ? undefined : pickOwn(input.review_context?.aspect_hints ?? {}, aspect);
  return hints?.[0]?.provenance_hint ?? null;
}

function findCurrent(list: WorkingList, aspect: string): Stated | null {
  return findMostConfident(keepStated(list.sentiments, aspect));
}

/** Gives an aspect another polarity; all its sentiments become the one that was changed, no surer than an override. */
function setPolarity({ cap }: ReviewsInput, list: WorkingList, aspect: string, polarity: Polarity | null): Change {
  const current = findCurrent(list, aspect);
  if (current === null) return refuse("no_sentiment");
  if (polarity === null) return refuse("no_opposite_polarity");
  if (current.polarity === polarity) return refuse("already_so");
  const changed = { ...current, polarity, polarity_distribution: null, confidence: Math.min(current.confidence, cap) };
  list.sentiments = list.sentiments
    .filter((sentiment) => sentiment === current || sentiment.aspect_ref !== aspect)
    .map((sentiment) => (sentiment === current ? changed : sentiment));
  return accept("polarity_changed", polarity);
}

/** Removes an aspect with its sentiments, or its sentiments only. */
function dropAspect(list: WorkingList, aspect: string, what: "aspect" | "sentiment"): Change {
  const before = list.aspects.length + list.sentiments.length;
  const shown = showName(list.names, aspect);
  if (what === "aspect") list.aspects = list.aspects.filter((one) => one.term !== shown);
  list.sentiments = list.sentiments.filter((sentiment) => sentiment.aspect_ref !== aspect);
  return list.aspects.length + list.sentiments.length < before ? accept("dropped") : refuse("nothing_to_drop");
}

/** Moves an aspect to words of the text that overlap it or its head, from word to word; it stays the same aspect. */
function reviseSpan({ material }: ReviewsInput, list: WorkingList, aspect: string, given: Span | null): Change {
  const shown = showName(list.names, aspect);
  const found = list.aspects.find((one) => one.term === shown);
  if (given === null) return refuse("no_revised_span");
  if (!found) return refuse("no_such_aspect");
  const span = groundRevision(material, found, given);
  if (typeof span === "string") return refuse(span);
  const term = material.text.slice(span.start, span.end);
  if (term === shown && found.span.start === span.start) return refuse("already_so");
  if (term !== shown && isTaken(list, term, aspect)) return refuse("term_already_there");
  list.aspects = list.aspects.map((one) => (one === found ? { ...one, term, span } : one));
  const others = [...list.names].filter(([own]) => own !== aspect);
  list.names = new Map(aspect === term ? others : [...others, [aspect, term]]);
  return { ...accept("span_revised"), term };
}

/** A revised span from word to word that overlaps its aspect or its head, or why it is none (sentiment spec §5). */
export function groundRevision(
  material: Material,
  { span: own, syntactic_head }: Pick<Aspect, "span" | "syntactic_head">,
  given: Span,
): Span | string {
  if (!isInside(material.text, given)) return "span_outside_text";
  const span = snapToWords(material, given);
  if (span === null || material.text.slice(span.start, span.end).trim() === "") return "span_cuts_a_word";
  const places = [own, ...listPlaces(material.text, syntactic_head ?? "")];
  return places.some((place) => overlaps(place, span)) ? span : "span_off_the_aspect";
}

/** True when another aspect has this term. */
function isTaken({ aspects, sentiments, names }: WorkingList, term: string, aspect: string): boolean {
  const others = [...aspects.map((one) => identify(names, one.term)), ...sentiments.map((one) => one.aspect_ref)];
  return others.some((other) => other !== aspect && (other === term || showName(names, other) === term));
}

const resolvers = ["FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN"];

/** The Stage 1 risks that a change resolved: its aspect overlaps the risk, and in the end it differs from Stage 1 (sentiment spec §7). */
function findResolved({ material, stage1 }: ReviewsInput, list: WorkingList, corrections: readonly Correction[]) {
  const risks = stage1.validator?.structural_risks ?? [];
  const changed = corrections
    .filter((one) => one.applied && resolvers.includes(one.proposal_type))
    .map((one) => identify(list.names, one.target_aspect))
    .filter((aspect) => {
      const [before, after] = [stage1.aspect_sentiments, list.sentiments].map((own) =>
        listPolarities(own, [aspect]).join(),
      );
      return before !== after || list.names.has(aspect);
    });
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
