import { cutClause, findCues, type Language } from "../../../../knowledge/opinions/index.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import { findTerm } from "./find-term.ts";
import { createSentiment, keepStated, type Stated } from "./stated.ts";

export type NeutralPolicy = "explicit" | "mention";

/** A list of sentiments and the aspects it mentions without one. */
export type RatedList = { sentiments: readonly Sentiment[]; mentions: readonly string[] };

/**
 * Applies the neutral policy last and to every list alike (sentiment spec §2): `explicit` keeps a neutral only where the
 * text itself rates the aspect as average, `mention` counts a mention without an opinion as neutral.
 */
export function applyNeutralPolicy(
  text: string,
  list: RatedList,
  policy: NeutralPolicy,
  language: Language,
): { sentiments: Stated[]; mentions: string[] } {
  const all = keepStated(list.sentiments);
  if (policy === "mention") {
    const rated = new Set(all.map((sentiment) => sentiment.aspect_ref));
    const mentioned = list.mentions
      .filter((term) => !rated.has(term))
      .map((term) => createSentiment(term, "neutral", { evidence: "", confidence: 0 }));
    return { sentiments: [...all, ...mentioned], mentions: [] };
  }
  const kept = all.filter((sentiment) => isEvaluative(text, sentiment, language));
  const rated = new Set(kept.map((sentiment) => sentiment.aspect_ref));
  const unrated = all.map((sentiment) => sentiment.aspect_ref).filter((term) => term !== "" && !rated.has(term));
  return { sentiments: kept, mentions: [...new Set([...list.mentions, ...unrated])] };
}

/** True when a sentiment evaluates: positive, negative, or a neutral that the text itself states. */
export function isEvaluative(text: string, sentiment: Stated, language: Language): boolean {
  if (sentiment.polarity !== "neutral") return true;
  return findCues(findScope(text, sentiment, language), language.neutral_cues, language).length > 0;
}

/** Where the text would rate the aspect: the opinion and evidence given for it, and the clause it stands in. */
function findScope(text: string, sentiment: Sentiment, language: Language): string {
  const evidence = sentiment.evidence.trim();
  const quoted = evidence !== text.trim() && text.includes(evidence) ? evidence : "";
  const place = findTerm(text, sentiment.aspect_ref);
  const clause = place ? cutClause(text, place, language) : text;
  return [sentiment.opinion_term?.term ?? "", quoted, clause].join("\n");
}
