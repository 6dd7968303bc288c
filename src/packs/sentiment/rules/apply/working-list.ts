import type { Aspect, Polarity, Sentiment, Span } from "../../schemas/stage1.ts";
import { findMostConfident, keepStatedOf, type Stated } from "../tuples/stated.ts";
import { identify, renameShown, showName, type ShownNames } from "../tuples/shown-names.ts";
import { isInside } from "../tuples/find-term.ts";

/** What a change did: whether anything changed, and why or why not. */
export type Change = {
  applied: boolean;
  reason: string;
  resulting_polarity: Polarity | null;
  /** The term that an aspect is shown under from now on, after a change of its span. */
  resulting_term?: string;
};

/** A change that was not made, and why. */
export function refuse(reason: string): Change {
  return { applied: false, reason, resulting_polarity: null };
}

function accept(reason: string, polarity: Polarity | null = null): Change {
  return { applied: true, reason, resulting_polarity: polarity };
}

/** What corrections and reviews work on: sentiments go by the name an aspect had first, whatever it is shown as (sentiment spec §5). */
export type WorkingList = { aspects: Aspect[]; sentiments: Sentiment[]; names: ShownNames };

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
  const shown = showName(list.names, aspect);
  if (what === "aspect") list.aspects = list.aspects.filter((one) => one.term !== shown);
  list.sentiments = list.sentiments.filter((sentiment) => sentiment.aspect_ref !== aspect);
  return list.aspects.length + list.sentiments.length < before ? accept("dropped") : refuse("nothing_to_drop");
}

/** Moves an aspect to another span of the text; it is shown under the words there and stays the same aspect. */
export function reviseSpan(text: string, list: WorkingList, aspect: string, span: Span | null): Change {
  if (span === null) return refuse("no_revised_span");
  if (!isInside(text, span)) return refuse("span_outside_text");
  const term = text.slice(span.start, span.end);
  const shown = showName(list.names, aspect);
  const found = list.aspects.find((one) => one.term === shown);
  if (!found) return refuse("no_such_aspect");
  if (term.trim() === "") return refuse("span_is_blank");
  if (term === shown && found.span.start === span.start) return refuse("already_so");
  if (term !== shown && isTaken(list, term, aspect)) return refuse("term_already_there");
  list.aspects = list.aspects.map((one) => (one === found ? { ...one, term, span } : one));
  list.names = renameShown(list.names, aspect, term);
  return { ...accept("span_revised"), resulting_term: term };
}

/** True when another aspect has this term. */
function isTaken({ aspects, sentiments, names }: WorkingList, term: string, aspect: string): boolean {
  const others = [...aspects.map((one) => identify(names, one.term)), ...sentiments.map((one) => one.aspect_ref)];
  return others.some((other) => other !== aspect && (other === term || showName(names, other) === term));
}

export function addAspect(list: WorkingList, aspect: Aspect): Change {
  if (list.aspects.some((one) => one.term === aspect.term) || list.names.has(aspect.term))
    return refuse("already_there");
  list.aspects = [...list.aspects, aspect];
  return accept("added");
}

export function addSentiment(list: WorkingList, sentiment: Stated): Change {
  if (findCurrent(list, sentiment.aspect_ref)) return refuse("already_there");
  list.sentiments = [...list.sentiments, sentiment];
  return accept("added", sentiment.polarity);
}
