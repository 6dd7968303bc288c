import type { Span } from "../../schemas/stage1.ts";

/** Where `term` occurs in the text, nearest to `near`: as it is written, else in other letter case; null when nowhere. */
export function findTerm(text: string, term: string, near = 0): Span | null {
  if (term === "") return null;
  const exact = listOccurrences(text, term);
  const lower = text.toLowerCase();
  const found = exact.length > 0 || lower.length !== text.length ? exact : listOccurrences(lower, term.toLowerCase());
  const nearest = found.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near) || a - b)[0];
  return nearest === undefined ? null : { start: nearest, end: nearest + term.length };
}

/** True when the span lies inside the text and is not empty. */
export function isInside(text: string, span: Span): boolean {
  return (
    Number.isInteger(span.start) &&
    Number.isInteger(span.end) &&
    span.start >= 0 &&
    span.start < span.end &&
    span.end <= text.length
  );
}

/** True when two spans share a character. */
export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function listOccurrences(text: string, term: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) found.push(at);
  return found;
}
