import { Stemmer } from "sastrawijs";

const stemmer = new Stemmer();
const stems = new Map<string, string>();

export function stemTokens(text: string): string[] {
  return [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => stemIndonesian(word));
}

function stemIndonesian(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = stemmer.stem(word);
  stems.set(word, stem);
  return stem;
}

/** True when a word, with or without its affixes, has an Indonesian root. */
export function isIndonesianWord(word: string): boolean {
  return stemmer.find(stemIndonesian(word.toLowerCase()));
}
