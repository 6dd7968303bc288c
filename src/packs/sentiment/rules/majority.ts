/** Majorities over several readings of a text, for the control arms (sentiment spec §1). */
import type { Aspect, Sentiment, Stage1 } from "../schemas/stage1.ts";
import { findTerm } from "./text.ts";
import { findMostConfident, keepStated, tupleKeyOf } from "./tuples.ts";

/** Tuples held by more than half of the readings, with their mean confidence. */
export function takeMajority(text: string, readings: readonly Stage1[]): Stage1 {
  const keep = <T>(lists: readonly (readonly T[])[], keyOf: (one: T) => string): T[][] => {
    const distinct = lists.flatMap((list) => [...new Map(list.map((one) => [keyOf(one), one])).values()]);
    return [...Map.groupBy(distinct, keyOf).values()].filter((own) => own.length * 2 > readings.length);
  };
  const stated = readings.map((reading) => keepStated(reading.aspect_sentiments));
  const aspect_sentiments = keep(stated, tupleKeyOf).flatMap((own): Sentiment[] => {
    const best = findMostConfident(own);
    return best ? [{ ...best, confidence: own.reduce((sum, one) => sum + one.confidence, 0) / own.length }] : [];
  });
  const named = keep(
    readings.map((reading) => reading.aspects),
    ({ term }) => term,
  ).flatMap((own) => own[0] ?? []);
  const added = aspect_sentiments.flatMap(({ aspect_ref: term, confidence }): Aspect[] => {
    const span = named.some((aspect) => aspect.term === term) ? null : findTerm(text, term);
    return span ? [{ term, span, normalized: null, syntactic_head: null, confidence, rationale: "" }] : [];
  });
  return { aspects: [...named, ...added], aspect_sentiments, validator: null };
}
