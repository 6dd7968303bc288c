import { stemEnglish } from "../../text/stem-english.ts";

/** Splits a text into words, in any script. */
export function splitWords(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? []
  );
}

/** A word in the form in which it is matched; null for words that carry nothing. */
export function termOf(word: string): string | null {
  return stopWords.has(word) ? null : stemEnglish(word);
}

/** Lists the terms of a text: its content words in the form in which they are matched. */
export function listTerms(text: string): string[] {
  return splitWords(text)
    .map(termOf)
    .filter((word) => word !== null && word !== "") as string[];
}

const stopWords = new Set(
  `a an the of in on at to for from by with and or but is are was were be been being do does did has have had what which who whom whose
  when where why how much many it its this that these those as not no can could will would should may might there their they he she we you
  i than then so if into about over under between during after before also any some such only own same too very`.split(
    /\s+/,
  ),
);
