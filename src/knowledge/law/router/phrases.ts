import { listForms } from "../mentions/words.ts";

/** The range of words that a phrase covers. */
export type Span = { start: number; end: number };

/** True when the phrase begins at this word: whole words, clitics aside. */
export function isPhraseAt(words: string[], at: number, phrase: string[]): boolean {
  return phrase.every((expected, offset) => {
    const word = words[at + offset];
    return word !== undefined && (word === expected || (expected.length > 3 && listForms(word).includes(expected)));
  });
}

/** Finds where the phrases are; the first one that fits at a word takes it. */
export function findSpans<T extends { words: string[] }>(words: string[], phrases: T[]): (Span & { phrase: T })[] {
  const spans: (Span & { phrase: T })[] = [];
  for (let at = 0; at < words.length; at++) {
    const phrase = phrases.find((one) => isPhraseAt(words, at, one.words));
    if (!phrase) continue;
    spans.push({ start: at, end: at + phrase.words.length, phrase });
    at += phrase.words.length - 1;
  }
  return spans;
}
