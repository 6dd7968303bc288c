import { getConcept } from "../mentions/concept.ts";
import type { Evidence } from "../items/evidence.ts";
import { findConceptIds } from "../mentions/mentions.ts";
import type { Bag } from "../../../text/bm25.ts";
import { extractTerms } from "../mentions/terms.ts";

const conceptWeight = 1.6;
const broaderWeight = 0.5;

/** What a question asks for: its stems, the concepts it names, and (at half weight) their wider concepts. */
export function bagQuery(query: string, language: "id" | "en"): Bag {
  const bag: Bag = new Map();
  for (const term of extractTerms(query, language)) bag.set(`${language}:${term}`, 1);
  for (const id of findConceptIds(query)) {
    bag.set(nameFeature(id), conceptWeight);
    for (const wider of getConcept(id).broader) raiseWeight(bag, nameFeature(wider), conceptWeight * broaderWeight);
  }
  return bag;
}

/** What an item says: its stems in both languages, and the concepts that either statement names. */
export function bagEvidence(item: Evidence): Bag {
  const bag: Bag = new Map();
  addTerms(bag, extractTerms(item.title, "id"), "id", 1.5);
  addTerms(bag, extractTerms(item.title_en, "en"), "en", 1.5);
  addTerms(bag, extractTerms(item.statement, "id"), "id", 1);
  addTerms(bag, extractTerms(item.statement_en, "en"), "en", 1);
  for (const id of findItemConcepts(item)) raiseWeight(bag, nameFeature(id), 1);
  return bag;
}

/** The concepts that an item's title or statement names, and its community. */
export function findItemConcepts(item: Evidence): string[] {
  const named = [`${item.title}. ${item.statement}`, `${item.title_en}. ${item.statement_en}`].flatMap(findConceptIds);
  return [...new Set([...named, ...(item.community ? findConceptIds(item.community) : [])])];
}

export function nameFeature(id: string): string {
  return `concept:${id}`;
}

function addTerms(bag: Bag, terms: string[], language: string, weight: number): void {
  for (const term of terms) bag.set(`${language}:${term}`, (bag.get(`${language}:${term}`) ?? 0) + weight);
}

function raiseWeight(bag: Bag, feature: string, weight: number): void {
  bag.set(feature, Math.max(weight, bag.get(feature) ?? 0));
}
