import { readStrengths, readVocabulary } from "../reading/data.ts";
import { loadOnce } from "../reading/language.ts";

type Spelt = { spelling: string; stem: string };

/** Stems with their values, and in letters (NFD) by their first two, longest first. */
type KoreanLexicon = { stems: Map<string, number>; spelt: Map<string, Spelt[]>; longest: number };

export const openKoreanLexicon = loadOnce((): KoreanLexicon => {
  const stems = new Map<string, number>();
  for (const [value, rest] of readStrengths("ko/opinion.txt"))
    for (const stem of rest.split(/\s+/)) if (!stems.has(stem)) stems.set(stem, value);
  const longest = Math.max(...[...stems.keys()].map((stem) => stem.length));
  const all = [...stems.keys()]
    .filter((stem) => stem.length > 1)
    .map((stem) => ({ spelling: stem.normalize("NFD"), stem }));
  all.sort((a, b) => b.spelling.length - a.spelling.length);
  return { stems, spelt: Map.groupBy(all, ({ spelling }) => spelling.slice(0, 2)), longest };
});

export function findStem(word: string): { stem: string; rest: string } | undefined {
  const letters = word.normalize("NFD");
  const all = openKoreanLexicon().spelt.get(letters.slice(0, 2)) ?? [];
  const found = all.find(({ spelling }) => letters.startsWith(spelling));
  return found && { stem: found.stem, rest: letters.slice(found.spelling.length) };
}

export const openVocabulary = loadOnce(() => readVocabulary("ko"));
