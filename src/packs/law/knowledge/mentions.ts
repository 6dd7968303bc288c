import { type Concept, type Mention, shippedConcepts } from "./concept.ts";
import { formsOf, wordsOf } from "./words.ts";

type Entry = { words: string[]; concepts: Concept[]; capitals: boolean };

let index: Map<string, Entry[]> | null = null;

/** The concepts that a text names: whole words only, the longest phrase wins (law spec §1: *bali* is not in *kembali*). */
export function mentionsIn(text: string): Mention[] {
  const words = wordsOf(text);
  const mentions: Mention[] = [];
  for (let at = 0; at < words.length; ) {
    const entry = longestAt(words, at);
    if (entry) {
      const span = { start: at, end: at + entry.words.length, term: entry.words.join(" ") };
      mentions.push(...entry.concepts.map((concept) => ({ concept, ...span })));
    }
    at += entry?.words.length ?? 1;
  }
  return mentions;
}

/** The ids of the concepts in a text, each once, in order of appearance. */
export function conceptIdsIn(text: string): string[] {
  return [...new Set(mentionsIn(text).map(({ concept }) => concept.id))];
}

function longestAt(words: string[], at: number): Entry | undefined {
  index ??= buildIndex();
  const candidates = formsOf(words[at] ?? "").flatMap((form) => index?.get(form) ?? []);
  return candidates
    .filter((entry) => entry.words.every((expected, offset) => matches(words[at + offset], expected, entry.capitals)))
    .toSorted((a, b) => b.words.length - a.words.length)[0];
}

function matches(word: string | undefined, expected: string, capitals: boolean): boolean {
  if (word === undefined) return false;
  if (capitals) return word.toLowerCase() === expected && word === word.toUpperCase();
  return formsOf(word).includes(expected);
}

function buildIndex(): Map<string, Entry[]> {
  const byPhrase = new Map<string, Entry>();
  for (const concept of shippedConcepts()) {
    for (const term of [...concept.terms, ...concept.terms_en]) {
      const words = wordsOf(term.toLowerCase());
      const capitals = term === term.toUpperCase() && /\p{L}/u.test(term);
      const key = `${words.join(" ")}|${capitals}`;
      const entry = byPhrase.get(key) ?? { words, concepts: [], capitals };
      if (!entry.concepts.includes(concept)) entry.concepts.push(concept);
      byPhrase.set(key, entry);
    }
  }
  return Map.groupBy(byPhrase.values(), ({ words }) => words[0] ?? "");
}
