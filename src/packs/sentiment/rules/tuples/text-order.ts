import type { Tuple } from "../../schemas/debate.ts";
import { findTerm } from "./find-term.ts";
import { type Stated, tupleKeyOf } from "./stated.ts";

/** Terms in the order they occur in the text; the implicit "" and terms outside the text come last, ties by name. */
export function orderByText(text: string, terms: readonly string[]): string[] {
  return sortByPlace(text, terms, (term) => term);
}

/** Items in the text order of their terms; items of one term keep their order. */
export function sortByPlace<T>(text: string, items: readonly T[], termOf: (item: T) => string): T[] {
  const place = (term: string) => findTerm(text, term)?.start ?? Number.MAX_SAFE_INTEGER;
  return items
    .map((item) => ({ item, term: termOf(item), at: place(termOf(item)) }))
    .sort((a, b) => a.at - b.at || (a.term < b.term ? -1 : a.term > b.term ? 1 : 0))
    .map(({ item }) => item);
}

/** The distinct tuples of a list, in text order. */
export function listTuples(text: string, list: readonly Stated[]): Tuple[] {
  const tuples = list.map(({ aspect_ref, polarity }) => ({ aspect_ref, aspect_term: aspect_ref, polarity }));
  const distinct = new Map(tuples.map((tuple) => [tupleKeyOf(tuple), tuple]));
  return sortByPlace(text, [...distinct.values()], (tuple) => tuple.aspect_ref).sort(compareInPlace);
}

/** Tuples of one aspect stand in alphabetical order of polarity; others keep their place. */
function compareInPlace(a: Tuple, b: Tuple): number {
  return a.aspect_ref === b.aspect_ref ? a.polarity.localeCompare(b.polarity) : 0;
}
