import { findTerm } from "./find-term.ts";

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
