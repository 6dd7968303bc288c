import type { Evidence } from "../items/evidence.ts";
import { buildKnowledge } from "../items/knowledge.ts";
import { detectLanguage } from "../mentions/language.ts";
import { findCitedProvisions } from "../citations/cited-provisions.ts";
import { searchText } from "../search/text-index.ts";

/** The items of a user's corpus that go with a question: what it cites, then what its words find. */
export function selectOwnItems(query: string, items: Evidence[], limit = 40): Evidence[] {
  if (items.length === 0) return [];
  const knowledge = buildKnowledge(items);
  const cited = findCitedProvisions(query, knowledge).flatMap(({ id }) =>
    id === null ? [] : (knowledge.find(id) ?? []),
  );
  const found = searchText(knowledge, query, detectLanguage(query)).map(({ evidence }) => evidence);
  return [...new Set([...cited, ...found])].slice(0, limit);
}
