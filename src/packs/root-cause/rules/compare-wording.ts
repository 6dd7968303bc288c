import { dice } from "../../../text/similar.ts";
import { stemEnglish } from "../../../text/search.ts";

const stopWords = new Set(
  "a an and are as at be by due for from has in into is it its of on or that the to was with".split(" "),
);

/** Similarity of wording: the Dice coefficient of stemmed words; 0 when either has none. */
export function compareWording(a: string, b: string): number {
  return dice(stemWords(a), stemWords(b));
}

function stemWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word)).map(stemEnglish));
}

/** The share of a claim's words found in a text; 0 without words. */
export function coverWords(claim: string, text: string): number {
  const [words, said] = [stemWords(claim), stemWords(text)];
  return words.size === 0 ? 0 : [...words].filter((word) => said.has(word)).length / words.size;
}
