import { type LanguageCode, readData } from "./language.ts";

export function readDataLines(path: string): string[] {
  const lines = readData(path).split("\n");
  return lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

export function readDataRows(path: string): string[][] {
  return readDataLines(path).map((line) => line.split("|").map((cell) => cell.trim()));
}

/** Reads lines such as "+2 word word": a strength and its words. */
export function readStrengths(path: string): [number, string][] {
  return readDataLines(path).flatMap((line): [number, string][] => {
    const match = /^([+-]?\d)\s+(.+)$/.exec(line);
    return match ? [[Number(match[1]), match[2] as string]] : [];
  });
}

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

export function addWord(groups: Map<string, string>, word: string, group: string): void {
  if (!groups.has(word)) groups.set(word, group);
}
