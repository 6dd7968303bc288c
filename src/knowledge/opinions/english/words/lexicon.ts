import { readFileSync } from "node:fs";
import type { Token } from "./token.ts";

const folder = new URL("../../../../../data/sentiment/en/", import.meta.url);

/** A phrase of the lexicon: each step is the words that may stand there; an optional step may be skipped. */
export type Phrase = { steps: { words: Set<string>; optional: boolean }[]; value: number };

export type Lexicon = { words: Map<string, number>; phrases: Map<string, Phrase[]> };

let loaded: Lexicon | undefined;

/** The opinion lexicon of English: our own list first, then the derived one. */
export function lexicon(): Lexicon {
  loaded ??= load();
  return loaded;
}

function load(): Lexicon {
  const words = new Map<string, number>();
  const phrases = new Map<string, Phrase[]>();
  for (const [value, rest] of lines("opinion.txt").concat(lines("derived.txt"))) {
    for (const word of rest.split(/\s+/)) {
      if (word.includes("-")) addPhrase(phrases, word.split("-").join(" "), value, word);
      if (!words.has(word)) words.set(word, value);
    }
  }
  for (const [value, rest] of lines("phrases.txt")) addPhrase(phrases, rest, value);
  return { words, phrases };
}

function lines(name: string): [number, string][] {
  const rows = readFileSync(new URL(name, folder), "utf8").split("\n");
  return rows.flatMap((row): [number, string][] => {
    const match = /^([+-]?\d)\s+(.+)$/.exec(row);
    return match ? [[Number(match[1]), match[2] as string]] : [];
  });
}

function addPhrase(phrases: Map<string, Phrase[]>, text: string, value: number, hyphenated?: string): void {
  const variants = hyphenated ? [text, hyphenated.split("-").join(" - ")] : [text];
  for (const variant of variants) {
    const steps = variant.split(/\s+/).map((step) => ({
      words: new Set(step.replace(/\?$/, "").split("/")),
      optional: step.endsWith("?"),
    }));
    for (const first of steps[0]?.words ?? []) phrases.set(first, [...(phrases.get(first) ?? []), { steps, value }]);
  }
}

/** The value of a single word, by its form, its lemma, or the word it is derived from. */
export function wordValue(token: Pick<Token, "lower" | "lemma">): number | undefined {
  const { words } = lexicon();
  const direct =
    words.get(token.lower) ??
    (token.lemma.slice(0, 3) === token.lower.slice(0, 3) && !token.lemma.endsWith("um")
      ? words.get(token.lemma)
      : undefined);
  if (direct !== undefined) return direct;
  for (const base of bases(token.lower)) {
    const value = words.get(base);
    if (value !== undefined) return value;
  }
  return token.lower.length >= 7 ? misspelt().get(singled(token.lower)) : undefined;
}

let doubles: Map<string, number> | undefined;

/** Our longer words by their letters without doubles: "dissapointed" and "excelent" are the commonest slips of reviews. */
function misspelt(): Map<string, number> {
  doubles ??= new Map(
    [...lexicon().words].filter(([word]) => word.length >= 7).map(([word, value]) => [singled(word), value]),
  );
  return doubles;
}

function singled(word: string): string {
  return word.replace(/(.)\1+/g, "$1").replace("definate", "definite");
}

function bases(word: string): string[] {
  const found: string[] = [];
  const cut = (suffix: string, ...endings: string[]) => {
    if (word.length > suffix.length + 3 && word.endsWith(suffix)) {
      const stem = word.slice(0, -suffix.length);
      for (const ending of endings) found.push(stem + ending);
    }
  };
  cut("ily", "y");
  cut("ly", "", "le");
  cut("iest", "y");
  cut("ier", "y");
  cut("est", "", "e");
  cut("er", "", "e");
  cut("iness", "y");
  cut("ness", "");
  cut("ing", "", "e");
  cut("ed", "", "e");
  cut("s", "");
  const elongated = word.replace(/(.)\1{2,}/g, "$1$1");
  if (elongated !== word) found.push(elongated, word.replace(/(.)\1{2,}/g, "$1"));
  return found;
}

/** The longest phrase that starts at a token, with the index after its last token. */
export function phraseAt(tokens: readonly Token[], start: number): { value: number; end: number } | undefined {
  const first = tokens[start];
  if (!first) return undefined;
  let best: { value: number; end: number } | undefined;
  for (const phrase of lexicon().phrases.get(first.lower) ?? []) {
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
