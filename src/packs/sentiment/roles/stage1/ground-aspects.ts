import type { Aspect } from "../../schemas/stage1.ts";
import { findTerm } from "../../rules/tuples/find-term.ts";
import type { Strike } from "../checks/strikes.ts";

/**
 * Keeps the aspects whose term is in the text (PJ1, sentiment spec §2): a wrong span is moved to the nearest occurrence,
 * a term in other letter case is written as the text writes it, anything else is dropped as `aspect_not_substring`.
 */
export function groundAspects(text: string, aspects: readonly Aspect[]): { aspects: Aspect[]; strikes: Strike[] } {
  const strikes: Strike[] = [];
  const kept: Aspect[] = [];
  for (const [at, aspect] of aspects.entries()) {
    const term = aspect.term.trim();
    const place = findTerm(text, term, aspect.span.start);
    if (!place) {
      strikes.push({ code: "aspect_not_substring", what: aspect.term, path: ["aspects", at, "term"] });
      continue;
    }
    const right = text.slice(aspect.span.start, aspect.span.end) === term;
    if (!right) strikes.push({ code: "span_repaired", what: aspect.term });
    const span = right ? aspect.span : place;
    const grounded = { ...aspect, term: text.slice(span.start, span.end), span };
    if (kept.some((other) => other.term === grounded.term && other.span.start === span.start))
      strikes.push({ code: "aspect_repeated", what: aspect.term });
    else kept.push(grounded);
  }
  return { aspects: kept, strikes };
}
