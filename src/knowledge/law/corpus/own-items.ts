import type { Evidence } from "../items/evidence.ts";
import { knowledgeOf } from "../items/knowledge.ts";
import { languageOf } from "../mentions/language.ts";
import { citedProvisions } from "../citations/cited-provisions.ts";
import { searchText } from "../search/text-index.ts";

/** The items of a user's corpus that go with a question: what it cites, then what its words find. */
export function ownItemsFor(query: string, items: Evidence[], limit = 40): Evidence[] {
  if (items.length === 0) return [];
  const knowledge = knowledgeOf(items);
  const cited = citedProvisions(query, knowledge).flatMap(({ id }) => (id === null ? [] : (knowledge.find(id) ?? [])));
  const found = searchText(knowledge, query, languageOf(query)).map(({ evidence }) => evidence);
  return [...new Set([...cited, ...found])].slice(0, limit);
}
