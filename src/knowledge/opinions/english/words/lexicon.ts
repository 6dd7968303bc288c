import { type ContextWord, readContextWords } from "../../reading/data.ts";
import { readDataLines, readStrengths } from "../../reading/data.ts";
import { loadOnce } from "../../reading/language.ts";
import { addWord, readVocabulary } from "../../reading/data.ts";
import type { Token } from "./token.ts";

/** A phrase of the lexicon: each step is the words that may stand there; an optional step may be skipped. */
type Phrase = { steps: { words: Set<string>; optional: boolean }[]; value: number };

/** The opinion lexicon of English; phrases by their first word. */
export type Lexicon = { words: Map<string, number>; phrases: Map<string, Phrase[]> };

/** The opinion lexicon of English: our own list first, then the derived one. */
export const openLexicon = loadOnce((): Lexicon => {
  const words = new Map<string, number>();
  const phrases = new Map<string, Phrase[]>();
  for (const [value, rest] of [...readStrengths("en/opinion.txt"), ...readStrengths("en/derived.txt")]) {
    for (const word of rest.split(/\s+/)) {
      if (word.includes("-")) addHyphenated(phrases, word, value);
      if (!words.has(word)) words.set(word, value);
    }
  }
  for (const [value, rest] of readStrengths("en/phrases.txt")) addPhrase(phrases, rest, value);
  return { words, phrases };
});

/** "well-made" is also written "well made" and "well - made". */
function addHyphenated(phrases: Map<string, Phrase[]>, word: string, value: number): void {
  addPhrase(phrases, word.split("-").join(" "), value);
  addPhrase(phrases, word.split("-").join(" - "), value);
}

function addPhrase(phrases: Map<string, Phrase[]>, text: string, value: number): void {
  const steps = text.split(/\s+/).map((step) => ({
    words: new Set(step.replace(/\?$/, "").split("/")),
    optional: step.endsWith("?"),
  }));
  for (const first of steps[0]?.words ?? []) phrases.set(first, [...(phrases.get(first) ?? []), { steps, value }]);
}

const openContextWords = loadOnce(() => readContextWords("en/context.txt"));

/** The entry of a word such as "small", whose polarity depends on what it describes. */
export function findContextWord(word: string): ContextWord | undefined {
  return openContextWords().get(word);
}

/** The value of a single word, by its form, its lemma, or the word it is derived from. */
export function findWordValue(token: Pick<Token, "lower" | "lemma">): number | undefined {
  const { words } = openLexicon();
  const direct = words.get(token.lower) ?? (isKindred(token) ? words.get(token.lemma) : undefined);
  if (direct !== undefined) return direct;
  for (const base of listBases(token.lower)) {
    const value = words.get(base);
    if (value !== undefined) return value;
  }
  return token.lower.length >= 7 ? openMisspelt().get(toSingleLetters(token.lower)) : undefined;
}

/** True when the lemma is a form of the word, and not the tagger's guess at another one. */
function isKindred({ lower, lemma }: Pick<Token, "lower" | "lemma">): boolean {
  return lemma.slice(0, 3) === lower.slice(0, 3) && !lemma.endsWith("um");
}

/** Our longer words by their letters without doubles: "dissapointed" and "excelent" are the commonest slips of reviews. */
const openMisspelt = loadOnce(() => {
  const longer = [...openLexicon().words].filter(([word]) => word.length >= 7);
  return new Map(longer.map(([word, value]) => [toSingleLetters(word), value]));
});

function toSingleLetters(word: string): string {
  return word.replace(/(.)\1+/g, "$1").replace("definate", "definite");
}

/** What a word may be derived from: its ending, and what may stand instead. */
const endings = Object.entries({
  ily: ["y"],
  ly: ["", "le"],
  iest: ["y"],
  ier: ["y"],
  est: ["", "e"],
  er: ["", "e"],
  iness: ["y"],
  ness: [""],
  ing: ["", "e"],
  ed: ["", "e"],
  s: [""],
});

function listBases(word: string): string[] {
  const found: string[] = [];
  for (const [ending, instead] of endings)
    if (word.length > ending.length + 3 && word.endsWith(ending))
      for (const one of instead) found.push(word.slice(0, -ending.length) + one);
  if (/(.)\1{2}/.test(word)) found.push(word.replace(/(.)\1{2,}/g, "$1$1"), word.replace(/(.)\1{2,}/g, "$1"));
  return found;
}

/** The longest phrase that starts at a token, with the index after its last token. */
export function findPhrase(tokens: readonly Token[], start: number): { value: number; end: number } | undefined {
  const first = tokens[start];
  if (!first) return undefined;
  let best: { value: number; end: number } | undefined;
  for (const phrase of openLexicon().phrases.get(first.lower) ?? []) {
    const end = matchPhrase(tokens, start, phrase);
    if (end !== undefined && (!best || end > best.end)) best = { value: phrase.value, end };
  }
  return best;
}

function matchPhrase(tokens: readonly Token[], start: number, phrase: Phrase): number | undefined {
  let at = start;
  for (const step of phrase.steps) {
    if (step.words.has(tokens[at]?.lower ?? "")) at += 1;
    else if (!step.optional) return undefined;
  }
  return at;
}

/** What English reviews judge, with the foods of WordNet by their last word. */
export const openVocabulary = loadOnce(() => {
  const vocabulary = readVocabulary("en");
  for (const line of readDataLines("en/food.txt"))
    addWord(vocabulary.groups, line.trim().split(" ").at(-1) as string, "food");
  return vocabulary;
});
