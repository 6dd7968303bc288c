import type { Aspect, Polarity, Sentiment } from "../../schemas/stage1.ts";

/** A sentiment that states a polarity. */
export type Stated = Sentiment & { polarity: Polarity };

/** The sentiments that state a polarity; the others are missing and stay so. */
export function keepStated(sentiments: readonly Sentiment[]): Stated[] {
  return sentiments.filter((sentiment): sentiment is Stated => sentiment.polarity !== null);
}

/** The stated sentiments of an aspect. */
export function keepStatedOf(sentiments: readonly Sentiment[], aspect: string): Stated[] {
  return keepStated(sentiments).filter((sentiment) => sentiment.aspect_ref === aspect);
}

/** The most confident of some sentiments, the first one on ties; null when there is none. */
export function findMostConfident<S extends Sentiment>(sentiments: readonly S[]): S | null {
  return sentiments.toSorted((a, b) => b.confidence - a.confidence)[0] ?? null;
}

/** A sentiment that a rule states itself: no opinion term, no distribution. */
export function createSentiment(
  aspect_ref: string,
  polarity: Polarity,
  { evidence, confidence }: { evidence: string; confidence: number },
): Stated {
  return {
    aspect_ref,
    polarity,
    opinion_term: null,
    evidence,
    confidence,
    polarity_distribution: null,
    is_implicit: aspect_ref === "",
  };
}

/** The aspects that are mentioned without a stated sentiment (sentiment spec §2: listed, never back-filled). */
export function listMentions(aspects: readonly Aspect[], sentiments: readonly Sentiment[]): string[] {
  const rated = new Set(keepStated(sentiments).map((sentiment) => sentiment.aspect_ref));
  return [...new Set(aspects.map((aspect) => aspect.term))].filter((term) => term !== "" && !rated.has(term));
}

/** What tells tuples apart: the aspect and its polarity. */
export function tupleKeyOf({ aspect_ref, polarity }: Pick<Sentiment, "aspect_ref" | "polarity">): string {
  return `${aspect_ref}\u0000${polarity}`;
}
