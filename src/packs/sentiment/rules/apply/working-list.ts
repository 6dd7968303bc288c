import type { Aspect, Polarity, Sentiment, Span } from "../../schemas/stage1.ts";
import { findMostConfident, keepStatedOf, type Stated } from "../tuples/stated.ts";
import { isInside } from "../tuples/find-term.ts";

/** What a change did: whether anything changed, and why or why not. */
export type Change = { applied: boolean; reason: string; resulting_polarity: Polarity | null };

/** A change that was not made, and why. */
export function refuse(reason: string): Change {
  return { applied: false, reason, resulting_polarity: null };
}

function accept(reason: string, polarity: Polarity | null = null): Change {
  return { applied: true, reason, resulting_polarity: polarity };
}

/** The aspects and sentiments that corrections and reviews work on. */
export type WorkingList = { aspects: Aspect[]; sentiments: Sentiment[] };

/** The most confident stated sentiment of an aspect. */
export function findCurrent(list: WorkingList, aspect: string): Stated | null {
  return findMostConfident(keepStatedOf(list.sentiments, aspect));
}

/** Gives an aspect another polarity; all its sentiments become the one that was changed. */
export function setPolarity(list: WorkingList, aspect: string, polarity: Polarity | null): Change {
  const current = findCurrent(list, aspect);
  if (current === null) return refuse("no_sentiment");
  if (polarity === null) return refuse("no_opposite_polarity");
  if (current.polarity === polarity) return refuse("already_so");
  list.sentiments = list.sentiments
    .filter((sentiment) => sentiment === current || sentiment.aspect_ref !== aspect)
    .map((sentiment) => (sentiment === current ? { ...sentiment, polarity, polarity_distribution: null } : sentiment));
  return accept("polarity_changed", polarity);
}

/** Removes an aspect with its sentiments, or its sentiments only. */
export function dropAspect(list: WorkingList, aspect: string, what: "aspect" | "sentiment"): Change {
  const before = list.aspects.length + list.sentiments.length;
  if (what === "aspect") list.aspects = list.aspects.filter((one) => one.term !== aspect);
  list.sentiments = list.sentiments.filter((sentiment) => sentiment.aspect_ref !== aspect);
  return list.aspects.length + list.sentiments.length < before ? accept("dropped") : refuse("nothing_to_drop");
}

/** Moves an aspect to another span of the text; its term and its sentiments follow. */
export function reviseSpan(text: string, list: WorkingList, aspect: string, span: Span | null): Change {
  if (span === null) return refuse("no_revised_span");
  if (!isInside(text, span)) return refuse("span_outside_text");
  const term = text.slice(span.start, span.end);
  const found = list.aspects.find((one) => one.term === aspect);
  if (!found) return refuse("no_such_aspect");
  if (term.trim() === "") return refuse("span_is_blank");
  if (term === aspect && found.span.start === span.start) return refuse("already_so");
  if (term !== aspect && list.aspects.some((one) => one.term === term)) return refuse("term_already_there");
  list.aspects = list.aspects.map((one) => (one === found ? { ...one, term, span } : one));
  list.sentiments = list.sentiments.map((one) => (one.aspect_ref === aspect ? { ...one, aspect_ref: term } : one));
  return accept("span_revised");
}

export function addAspect(list: WorkingList, aspect: Aspect): Change {
  if (list.aspects.some((one) => one.term === aspect.term)) return refuse("already_there");
  list.aspects = [...list.aspects, aspect];
  return accept("added");
}

export function addSentiment(list: WorkingList, sentiment: Stated): Change {
  if (findCurrent(list, sentiment.aspect_ref)) return refuse("already_there");
  list.sentiments = [...list.sentiments, sentiment];
  return accept("added", sentiment.polarity);
}
