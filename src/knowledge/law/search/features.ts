import { conceptOf } from "../mentions/concept.ts";
import type { Evidence } from "../items/evidence.ts";
import { conceptIdsIn } from "../mentions/mentions.ts";
import type { Bag } from "../../../text/bm25.ts";
import { termsOf } from "../mentions/terms.ts";

const conceptWeight = 1.6;
const broaderWeight = 0.5;

/** What a question asks for: its stems, the concepts it names, and (at half weight) their wider concepts. */
export function queryBag(query: string, language: "id" | "en"): Bag {
  const bag: Bag = new Map();
  for (const term of termsOf(query, language)) bag.set(`${language}:${term}`, 1);
  for (const id of conceptIdsIn(query)) {
    bag.set(conceptFeature(id), conceptWeight);
    for (const wider of conceptOf(id).broader) raise(bag, conceptFeature(wider), conceptWeight * broaderWeight);
  }
  return bag;
}

/** What an item says: its stems in both languages, and the concepts that either statement names. */
export function evidenceBag(item: Evidence): Bag {
  const bag: Bag = new Map();
  count(bag, termsOf(item.title, "id"), "id", 1.5);
  count(bag, termsOf(item.title_en, "en"), "en", 1.5);
  count(bag, termsOf(item.statement, "id"), "id", 1);
  count(bag, termsOf(item.statement_en, "en"), "en", 1);
  for (const id of conceptsOf(item)) raise(bag, conceptFeature(id), 1);
  return bag;
}

/** The concepts that an item's title or statement names, and its community. */
export function conceptsOf(item: Evidence): string[] {
  const named = [`${item.title}. ${item.statement}`, `${item.title_en}. ${item.statement_en}`].flatMap(conceptIdsIn);
  return [...new Set([...named, ...(item.community ? conceptIdsIn(item.community) : [])])];
}

export function conceptFeature(id: string): string {
  return `concept:${id}`;
}

function count(bag: Bag, terms: string[], language: string, weight: number): void {
  for (const term of terms) bag.set(`${language}:${term}`, (bag.get(`${language}:${term}`) ?? 0) + weight);
}

function raise(bag: Bag, feature: string, weight: number): void {
  bag.set(feature, Math.max(weight, bag.get(feature) ?? 0));
}
