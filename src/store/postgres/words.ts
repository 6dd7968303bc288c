import { ParleyError } from "../../contract/error.ts";
import { listSearchWords } from "../search-text.ts";

/** The database keeps no longer ones. */
const longestWord = 200;

/** The words of a text as the index has them: small letters, without accents, each once. */
export function listWords(text: string): string[] {
  return [...new Set((text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(fold))];
}

/** What the index is asked for a text: all its words, each as the beginning of one. */
export function makeWordQuery(text: string): string {
  const words = listSearchWords(text).map(fold);
  if (words.length === 0) throw new ParleyError("bad_input", "text: there is no word in it to look for");
  return words.map((word) => `'${word}':*`).join(" & ");
}

function fold(word: string): string {
  const plain = word
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036F]/g, "")
    .normalize("NFC");
  return plain.slice(0, longestWord).toWellFormed();
}
