import type { LanguageCode } from "../language/language.ts";
import { readDataLines } from "./data-file.ts";

/** What reviews of a language judge: the group of each head word or compound, and the nouns they only mention. */
export type Vocabulary = { groups: Map<string, string>; mentioned: Set<string> };

/** Reads `aspects.txt` (lines "group: word two_words"; a word belongs to the first group that lists it) and `not-aspects.txt`. */
export function readVocabulary(language: LanguageCode): Vocabulary {
  const groups = new Map<string, string>();
  for (const line of readDataLines(`${language}/aspects.txt`)) {
    const [group = "", words = ""] = line.split(":");
    for (const word of words.trim().split(/\s+/)) addWord(groups, word.replaceAll("_", " "), group);
  }
  const mentioned = readDataLines(`${language}/not-aspects.txt`).flatMap((line) => line.split(/\s+/));
  return { groups, mentioned: new Set(mentioned) };
}

/** Adds a word to a group unless it belongs to one. */
export function addWord(groups: Map<string, string>, word: string, group: string): void {
  if (!groups.has(word)) groups.set(word, group);
}
