import type { Mention } from "../mentions/concept.ts";
import { ownSourceKind } from "../items/evidence.ts";
import type { Knowledge } from "../items/knowledge.ts";
import { splitWords } from "../mentions/words.ts";
import type { CitedProvision } from "../citations/cited-provisions.ts";
import { detectLanguage } from "../mentions/language.ts";
import { nameFeature, bagEvidence, bagQuery } from "../search/features.ts";
import { extractTerms } from "../mentions/terms.ts";
import { getIndex, searchText } from "../search/text-index.ts";
import { outsideTopics } from "./cues.ts";
import { findTopicGaps } from "./gaps.ts";
import { type Span, findSpans } from "./phrases.ts";

/** How much a question lies in the field of the knowledge base, and how much outside it. */
export type Scope = { inside: number; outside: number; out_of_scope: boolean };

/** Below this the best item only happens to share words with the question; from `strongMatch` on it speaks of the same thing. */
const leastMatch = 1.5;
const strongMatch = 2.7;
const needed = 1;
const coverage = 0.4;
const textCoverage = 0.6;
const textCoverageOfTerm = 0.4;

/** A question is in scope when the field covers it, or an item that the user added does. */
export function isOutOfScope(
  query: string,
  mentions: Mention[],
  cited: CitedProvision[],
  knowledge: Knowledge,
): boolean {
  if (cited.some(({ known }) => known) || isCoveredByOwn(query, knowledge)) return false;
  if (findTopicGaps(query, knowledge).length > 0) return true;
  const { out_of_scope: outOfScope, outside } = measureScope(query, mentions, cited);
  const match = measureMatch(query, knowledge);
  if (match < leastMatch) return true;
  return outOfScope && !(outside === 0 && (match >= strongMatch || isCovered(query, mentions, knowledge)));
}

/** How well the best item matches, in absolute terms: as many times as a word that no item has would weigh. */
function measureMatch(query: string, knowledge: Knowledge): number {
  const [best] = searchText(knowledge, query, detectLanguage(query));
  return best ? best.score / getIndex(knowledge).idf(unheard) : 0;
}

const unheard = "\u0000";

/**
 * True when one item holds most of what the question says, by weight; a word that no item has weighs most. Less is
 * enough where the question has a legal term, even an everyday one.
 */
function isCovered(query: string, mentions: Mention[], knowledge: Knowledge): boolean {
  const language = detectLanguage(query);
  const index = getIndex(knowledge);
  const named = listCommunityWords(query, mentions, language);
  const features = [...bagQuery(query, language).keys()].filter((feature) => !named.has(feature));
  const weight = (of: string[]) => of.reduce((sum, feature) => sum + index.idf(feature), 0);
  const isLegal = mentions.some(({ concept }) => concept.domain === "national" && concept.type !== "person");
  const wanted = (isLegal ? textCoverageOfTerm : textCoverage) * weight(features);
  return searchText(knowledge, query, language)
    .slice(0, 5)
    .map(({ evidence }) => bagEvidence(evidence))
    .map((held) => features.filter((feature) => held.has(feature)))
    .some((shared) => shared.length >= 2 && weight(shared) >= wanted);
}

/** Where the parties live says nothing about what they ask. */
function listCommunityWords(query: string, mentions: Mention[], language: "id" | "en"): Set<string> {
  const words = splitWords(query);
  const places = mentions.filter(({ concept }) => concept.type === "community");
  const terms = places.flatMap(({ start, end }) => extractTerms(words.slice(start, end).join(" "), language));
  return new Set([
    ...terms.map((term) => `${language}:${term}`),
    ...places.map(({ concept }) => nameFeature(concept.id)),
  ]);
}

/** True when an item of the user's own corpus holds most of what the question asks about. */
function isCoveredByOwn(query: string, knowledge: Knowledge): boolean {
  const own = knowledge.items.filter(({ source_kind: kind }) => kind === ownSourceKind);
  const terms = [...new Set([...extractTerms(query, "id"), ...extractTerms(query, "en")])];
  return own.some((item) => {
    const held = new Set([
      ...extractTerms(`${item.title} ${item.statement}`, "id"),
      ...extractTerms(`${item.title_en} ${item.statement_en}`, "en"),
    ]);
    const shared = terms.filter((term) => held.has(term)).length;
    return shared >= 2 && shared >= coverage * terms.length;
  });
}

/** A question is in scope when it cites something known, or names enough of this field and not more of another (law spec §1.2). */
export function measureScope(query: string, mentions: Mention[], cited: CitedProvision[]): Scope {
  const words = splitWords(query.toLowerCase());
  const covered = ({ start, end }: Span) =>
    mentions.some(({ concept, ...at }) => !concept.generic && at.start <= start && end <= at.end);
  const foreign = findSpans(words, outsideTopics).filter((span) => !covered(span));
  const own = mentions.filter(({ start, end }) => !foreign.some((span) => span.start <= start && end <= span.end));
  const concepts = new Map(own.map(({ concept }) => [concept.id, concept]));
  const inside = [...concepts.values()].reduce((sum, concept) => sum + weighConcept(concept), 0);
  const outside = new Set(foreign.map(({ phrase }) => phrase)).size;
  const knowsCited = cited.some(({ known }) => known);
  return { inside, outside, out_of_scope: !knowsCited && (inside < needed || outside > inside) };
}

function weighConcept({ type, generic, domain }: Mention["concept"]): number {
  if (type === "community") return 0.5;
  if (type === "law") return generic ? 0.5 : 1;
  if (generic) return type === "person" ? 0.4 : 0.25;
  return type === "person" && domain === null ? 0.75 : 1;
}
