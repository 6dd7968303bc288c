import type { PlacedOpinion } from "../../reading/reading.ts";
import { type ContextWord, weighContextWord } from "../../reading/data.ts";
import { readDegree } from "./degree.ts";
import { findFact } from "./fact.ts";
import { findContextWord, findPhrase, findWordValue } from "../words/lexicon.ts";
import { type Mood, readMood } from "./modality.ts";
import { findNegator } from "./negation.ts";
import { isIdle } from "./idle-words.ts";
import { readRemedy } from "./remedy.ts";
import type { Token } from "../words/token.ts";

/** An English opinion: a `phrase` of the lexicon or a word. */
export type EnglishOpinion = PlacedOpinion & { phrase: boolean };

type Found = {
  from: number;
  to: number;
  base: number;
  context: ContextWord | undefined;
  phrase: boolean;
  fact?: boolean;
};

/** Finds every opinion of a text and works out what negation, degree and mood make of it. */
export function findOpinions(text: string, tokens: readonly Token[]): EnglishOpinion[] {
  const opinions: EnglishOpinion[] = [];
  let at = 0;
  while (at < tokens.length) {
    const found =
      findPhraseOpinion(tokens, at) ??
      findWordOpinion(tokens, at) ??
      findDegreeOpinion(tokens, at) ??
      findFactOpinion(tokens, at);
    if (found) opinions.push(weigh(text, tokens, found));
    at = found ? found.to : at + 1;
  }
  return opinions;
}

function findPhraseOpinion(tokens: readonly Token[], at: number): Found | undefined {
  const phrase = findPhrase(tokens, at);
  return phrase && { from: at, to: phrase.end, base: phrase.value, context: undefined, phrase: true };
}

function findWordOpinion(tokens: readonly Token[], at: number): Found | undefined {
  const token = tokens[at] as Token;
  if (isIdle(tokens, at)) return undefined;
  const context = findContextWord(token.lower);
  const base = context?.value ?? findWordValue(token);
  return base === undefined ? undefined : { from: at, to: at + 1, base, context, phrase: false };
}

/** A fact speaks only where no judging word does: the negation of a lexicon word belongs to that word. */
function findFactOpinion(tokens: readonly Token[], at: number): Found | undefined {
  const fact = findFact(tokens, at);
  if (!fact) return undefined;
  const rest = tokens.slice(at + 1, at + 5).findIndex((token) => /^[,.;!?]$|^(but|and)$/.test(token.text));
  const reach = rest < 0 ? at + 5 : at + 1 + rest;
  for (let next = at + 1; next < Math.min(reach, tokens.length); next += 1)
    if (fact.base < 0 && findWordOpinion(tokens, next)) return undefined;
  return { from: at, to: fact.to, base: fact.base, context: undefined, phrase: false, fact: true };
}

/** "too salty": any adjective after "too" is a complaint, "fast enough" is praise. */
function findDegreeOpinion(tokens: readonly Token[], at: number): Found | undefined {
  const token = tokens[at] as Token;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (token.pos !== "ADJ" && token.pos !== "ADV") return undefined;
  if (before?.lower === "too" && after?.lower !== "much")
    return { from: at, to: at + 1, base: -1, context: undefined, phrase: false };
  if (after?.lower === "enough") return { from: at, to: at + 2, base: 1, context: undefined, phrase: false };
  return undefined;
}

function weigh(text: string, tokens: readonly Token[], found: Found): EnglishOpinion {
  const negator = found.fact && found.base < 0 ? undefined : findNegator(tokens, found.from);
  const remedied = found.base < 0 && !found.fact ? readRemedy(tokens, found) : null;
  const negated = remedied ?? negator !== undefined;
  const mood = readMood(tokens, found.from);
  const degree = readDegree(tokens, found.from);
  const start = tokens[degree.too ? found.from - 1 : found.from]?.start ?? 0;
  const end = tokens[found.to - 1]?.end ?? start;
  const elsewhere = compareElsewhere(tokens, found.from);
  const valueFor = (nouns: readonly string[]) => {
    let value = found.context ? weighContextWord(found.context, nouns) : found.base;
    if (degree.too && !(negated && value > 0)) value = -Math.max(1.5, Math.abs(value));
    else if (degree.enough && value <= 0 && !found.fact) value = 1.5;
    value *= degree.factor;
    if (elsewhere !== null) return Math.abs(value) * (elsewhere === "praise" ? 1.3 : -1);
    return underMood(negated ? negate(value) : value, mood);
  };
  const shape = {
    span: { start, end },
    term: text.slice(start, end),
    from: found.from,
    to: found.to,
    phrase: found.phrase,
    kind: found.fact ? ("fact" as const) : ("judgement" as const),
  };
  return {
    ...shape,
    value: valueFor([]),
    base: found.base,
    clause: 0,
    negated,
    valueFor,
  };
}

const met =
  "had|have|has|find|found|ask for|asked for|get|got|seen|saw|eaten|tasted|tried|used|owned|stayed in|be|been";

/** What a comparison with things met elsewhere says of this one: "never had better" praises it, "there are better ones" puts it down. */
function compareElsewhere(tokens: readonly Token[], at: number): "praise" | "blame" | null {
  if (!/[a-z]{2}er$/.test(tokens[at]?.lower ?? "")) return null;
  const before = tokens
    .slice(Math.max(0, at - 7), at)
    .map((one) => one.lower)
    .join(" ");
  const one = "( (a|an|any|much|far|some|many))*$";
  if (new RegExp(`\\b(never|not|n't|no)\\b[^,.;]*\\b(${met})${one}`).test(before)) return "praise";
  return new RegExp(`(^there (are|is|were|was)|\\b(have|'ve) (seen|had|eaten|tasted|tried|used|owned))${one}`).test(
    before,
  )
    ? "blame"
    : null;
}

/** A negated praise is a mild complaint, a negated complaint a mild praise; the stronger the word the less it says. */
function negate(value: number): number {
  if (value > 0) return -Math.min(2, 0.8 * value + (value >= 2.8 ? -0.8 : 0.2));
  return Math.min(1.2, -0.5 * value);
}

function underMood(value: number, mood: Mood): number {
  if (mood === "wish") return -Math.min(1.5, value);
  if (mood === "condition") return value * 0.3;
  if (mood === "expectation") return value > 0 ? -0.6 : value * 0.5;
  if (mood === "question") return value * 0.5;
  return value;
}
