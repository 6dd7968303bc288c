import { readFileSync } from "node:fs";
import { irregularForms } from "./irregular-english.ts";
import { remember } from "./remember.ts";
import { stemEnglish } from "./stem-english.ts";
import { isKorean, stemKorean } from "./stem-korean.ts";

const lists = JSON.parse(readFileSync(new URL("../../data/text/stop-words.json", import.meta.url), "utf8")) as object;
const stopWords = new Set(Object.values(lists).flatMap((list: string) => list.split(" ")));

/** Splits a text into words, in any script. */
export function splitWords(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? []
  );
}

/** A word in the form in which it is matched; null for words that carry nothing. The commonest words are remembered. */
export const termOf = remember(25_000, (word: string): string | null => {
  if (stopWords.has(word)) return null;
  const stem = isKorean(word) ? stemKorean(word) : stemEnglish(irregularForms.get(word) ?? word);
  return stem === "" || stopWords.has(stem) ? null : stem;
});

/** Lists the terms of a text: its content words in the form in which they are matched. */
export function listTerms(text: string): string[] {
  return splitWords(text).flatMap((word) => termOf(word) ?? []);
}
