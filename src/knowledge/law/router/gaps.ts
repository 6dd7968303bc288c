import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Knowledge } from "../items/knowledge.ts";
import { loadPeoples, type Mention } from "../mentions/concept.ts";
import { detectLanguage } from "../mentions/language.ts";
import { splitWords } from "../mentions/words.ts";
import { searchText } from "../search/text-index.ts";
import { findSpans } from "./phrases.ts";

/** Something that is asked and that the knowledge base does not hold, named in both languages. */
export type Gap = { id: string; label: string; label_en: string };

const GapSchema = z.strictObject({
  id: z.string(),
  label: z.string().min(1),
  label_en: z.string().min(1),
  terms: z.array(z.string()).min(1),
});

const file = new URL("../../../../data/law/gaps.json", import.meta.url);
const topics = z
  .array(GapSchema)
  .parse(JSON.parse(readFileSync(file, "utf8")))
  .flatMap(({ terms, ...gap }) => terms.map((term) => ({ gap, words: splitWords(term.toLowerCase()) })))
  .toSorted((a, b) => b.words.length - a.words.length);

const nearest = 3;

/** Neighbouring fields of law that the question asks about and that none of the items nearest to it speaks of (law spec §1.2). */
export function findTopicGaps(query: string, knowledge: Knowledge): Gap[] {
  const spans = findSpans(splitWords(query.toLowerCase()), topics);
  if (spans.length === 0) return [];
  const texts = searchText(knowledge, query, detectLanguage(query))
    .slice(0, nearest)
    .map(({ evidence: { title, title_en, statement, statement_en } }) =>
      splitWords([title, title_en, statement, statement_en].join(" ").toLowerCase()),
    );
  const isHeld = (term: string[]): boolean => texts.some((words) => term.every((word) => words.includes(word)));
  const found = spans.filter(({ phrase }) => !isHeld(phrase.words)).map(({ phrase }) => phrase.gap);
  return [...new Map(found.map(({ id, label, label_en }) => [id, { id, label, label_en }])).values()];
}

/** Peoples that the question names and of whose adat the knowledge base holds no norm; another people's norms are not theirs. */
export function findPeopleGaps(mentions: Mention[], knowledge: Knowledge): Gap[] {
  const covered = new Set(knowledge.items.flatMap(({ domain, community }) => (domain === "adat" ? [community] : [])));
  const named = new Set(mentions.map(({ concept }) => concept.community));
  return loadPeoples()
    .filter(({ id }) => named.has(id) && !covered.has(id))
    .map(({ id, label, label_en }) => ({ id, label: `adat ${label}`, label_en: `${label_en} adat` }));
}
