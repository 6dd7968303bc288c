import { canonicalisePolarity } from "../../rules/tuples/canonical-polarity.ts";
import type { Aspect, Sentiment, SentimentReply } from "../../schemas/stage1.ts";
import type { AspectMatcher } from "../../rules/tuples/aspect-matcher.ts";
import { findQuote } from "../../rules/tuples/find-quote.ts";
import { findTerm } from "../../rules/tuples/find-term.ts";
import { toPlainForm } from "../../../../knowledge/opinions/index.ts";
import type { Strike } from "../checks/strikes.ts";

/** Keeps the sentiments that belong to a kept aspect or to the implicit one; an invalid polarity becomes missing (sentiment spec §2). */
export function groundSentiments(
  text: string,
  aspects: readonly Aspect[],
  sentiments: readonly SentimentReply[],
  matcher: AspectMatcher,
): { sentiments: Sentiment[]; strikes: Strike[] } {
  const strikes: Strike[] = [];
  const kept: Sentiment[] = [];
  for (const [at, sentiment] of sentiments.entries()) {
    const path = (field: string) => ["aspect_sentiments", at, field];
    const ref = findAnchor(sentiment.aspect_ref.trim(), aspects, matcher);
    if (ref === null) {
      strikes.push({ code: "sentiment_without_aspect", what: sentiment.aspect_ref, path: path("aspect_ref") });
      continue;
    }
    const polarity = canonicalisePolarity(sentiment.polarity);
    if (polarity === null && sentiment.polarity !== null)
      strikes.push({ code: "polarity_invalid", what: sentiment.polarity, path: path("polarity") });
    kept.push({
      ...sentiment,
      aspect_ref: ref,
      polarity,
      evidence: findQuote(text, sentiment.evidence) ?? sentiment.evidence,
      opinion_term: groundOpinion(text, sentiment, (what) =>
        strikes.push({ code: "opinion_not_substring", what, path: path("opinion_term") }),
      ),
      is_implicit: sentiment.is_implicit || ref === "",
    });
  }
  return { sentiments: kept, strikes };
}

/** The kept aspect a sentiment is about: by normal form, else the one that contains its term or is contained in it. */
function findAnchor(term: string, aspects: readonly Aspect[], matcher: AspectMatcher): string | null {
  if (term === "") return "";
  const match = matcher.resolve(term);
  if (match.how === "stage1" || match.how === "synonym") return match.aspect;
  const plain = toPlainForm(term);
  const near = aspects.filter((aspect) => {
    const other = toPlainForm(aspect.term);
    return other !== "" && plain !== "" && (plain.includes(other) || other.includes(plain));
  });
  return new Set(near.map((aspect) => aspect.term)).size === 1 ? (near[0]?.term ?? null) : null;
}

function groundOpinion(
  text: string,
  sentiment: SentimentReply,
  strike: (what: string) => void,
): Sentiment["opinion_term"] {
  const opinion = sentiment.opinion_term;
  if (opinion === null || opinion.term.trim() === "") return null;
  const term = opinion.term.trim();
  if (text.slice(opinion.span.start, opinion.span.end) === term) return { term, span: opinion.span };
  const place = findTerm(text, term, opinion.span.start);
  if (!place) {
    strike(term);
    return null;
  }
  return { term: text.slice(place.start, place.end), span: place };
}
