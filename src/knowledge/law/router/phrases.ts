import { formsOf } from "../mentions/words.ts";

/** The range of words at which a phrase stands. */
export type Span = { start: number; end: number };

/** True when the phrase stands at this word: whole words, clitics aside. */
export function standsAt(words: string[], at: number, phrase: string[]): boolean {
  return phrase.every((expected, offset) => {
    const word = words[at + offset];
    return word !== undefined && (word === expected || (expected.length > 3 && formsOf(word).includes(expected)));
  });
}

/** Where any of the phrases stands; the first one that fits at a word takes it. */
export function spansOf<T extends { words: string[] }>(words: string[], phrases: T[]): (Span & { phrase: T })[] {
  const spans: (Span & { phrase: T })[] = [];
  for (let at = 0; at < words.length; at++) {
    const phrase = phrases.find((one) => standsAt(words, at, one.words));
    if (!phrase) continue;
    spans.push({ start: at, end: at + phrase.words.length, phrase });
    at += phrase.words.length - 1;
  }
  return spans;
}
