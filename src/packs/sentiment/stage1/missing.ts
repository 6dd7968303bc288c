import type { Aspect, Sentiment } from "../schemas/stage1.ts";

/** A sentiment that states a polarity. */
export type Stated = Sentiment & { polarity: NonNullable<Sentiment["polarity"]> };

/** The sentiments that state a polarity; the others are missing and stay so. */
export function stated(sentiments: readonly Sentiment[]): Stated[] {
  return sentiments.filter((sentiment): sentiment is Stated => sentiment.polarity !== null);
}

/** The aspects that are mentioned without a stated sentiment (spec section 2: listed, never back-filled). */
export function mentionsOf(aspects: readonly Aspect[], sentiments: readonly Sentiment[]): string[] {
  const rated = new Set(stated(sentiments).map((sentiment) => sentiment.aspect_ref));
  return [...new Set(aspects.map((aspect) => aspect.term))].filter((term) => term !== "" && !rated.has(term));
}
