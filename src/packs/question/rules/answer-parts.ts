import { readValues, type Value } from "../../../knowledge/documents/index.ts";
import { stemEnglish } from "../../../text/stem-english.ts";
import { isKorean, stemKorean } from "../../../text/stem-korean.ts";
import { aliases, deniedWords, denials, functionWords, noForms, sameWords, yesForms } from "./answer-words.ts";

/** An answer taken apart: what must match exactly, and the words, which may be worded loosely. */
export type AnswerParts = {
  /** The letter of a choice ("Option B", "(b)", "B. Paris"). */
  label: string | null;
  stance: "yes" | "no" | null;
  values: Value[];
  /** True when it denies an odd number of times. */
  denies: boolean;
  /** Content words in order, as stems; names keep their capitals. */
  words: string[];
  /** The names among them: words with a capital that does not begin the sentence. */
  names: string[];
  /** The words with whoever does it first, whether it is told actively or passively. */
  inOrder: string[];
};

/** What was taken apart last: an answer is compared with every other of its round, and often again in the next. */
const known = new Map<string, AnswerParts>();
const mostKnown = 64;

/** Takes an answer apart (question spec §5.2). */
export function readAnswerParts(answer: string, hasLetters = false): AnswerParts {
  const key = `${hasLetters} ${answer}`;
  const parts = known.get(key) ?? takeApart(answer, hasLetters);
  known.delete(key);
  known.set(key, parts);
  for (const oldest of known.size > mostKnown ? known.keys().take(known.size - mostKnown) : []) known.delete(oldest);
  return parts;
}

function takeApart(answer: string, hasLetters: boolean): AnswerParts {
  const text = spell(answer);
  const { values, rest } = readValues(text.replaceAll(numberedThings, markNumber));
  const tokens = splitTokens(rest, hasLetters);
  const denied = tokens.filter(({ key }) => isDenial(key)).length;
  const content = tokens.filter(({ key }) => !functionWords.has(key) && !isDenial(key));
  return {
    label: readLabel(answer),
    stance: yesForms.test(text) ? "yes" : noForms.test(text) ? "no" : null,
    values,
    denies: denied % 2 === 1,
    words: content.map(({ stem }) => stem),
    names: tokens.filter(({ isName }) => isName).map(({ stem }) => stem),
    inOrder: orderTokens(tokens).map(({ stem }) => stem),
  };
}

/** True when an answer names letters ("A sold it to B"): then a capital A is no article. */
export function namesLetters(answer: string): boolean {
  return /(?<![\p{L}'])[B-HJ-Z](?![\p{L}'])/u.test(answer);
}

/** A number behind a word such as "version" is a name: 2.1 is not 2.10 there. */
const numberedThings =
  /\b(version|v|release|article|art\.?|section|chapter|paragraph|room|line|gate|platform|pasal|ayat|bab|versi|no\.)\s*(\d[\d.]*)/gi;

/** The number spelt so that it is read as a word. */
function markNumber(_: string, thing: string, number: string): string {
  return `${thing} n${number.replace(/\.$/, "").replaceAll(".", "point")}`;
}

type Token = { key: string; stem: string; isName: boolean };

/** Contractions in full, other names for one name. */
function spell(answer: string): string {
  const full = answer
    .normalize("NFKC")
    .trim()
    .replaceAll("’", "'")
    .replaceAll(/\bcan't\b|\bcannot\b/gi, "can not")
    .replaceAll(/\bwon't\b/gi, "will not")
    .replaceAll(/n't\b/gi, " not")
    .replaceAll(/'(?:s|re|ve|ll|d|m)\b/gi, " ")
    .replaceAll(/\bnon-(?=\p{L})/giu, "non ");
  return aliases.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), full);
}

function readLabel(answer: string): string | null {
  const lead =
    /^\s*(?:(?:the )?(?:answer|option|choice|jawaban|pilihan|opsi|정답)\s*(?:is|:|adalah|은)?\s*)?/i.exec(
      answer,
    )?.[0] ?? "";
  const found = /^\(?([A-Za-z])(?:[).:](?:\s.*)?|)$/s.exec(answer.slice(lead.length).trim());
  const letter = found?.[1];
  if (letter === undefined || (lead.trim() === "" && /^[a-z]$/.test(answer.trim()))) return null;
  return letter.toUpperCase();
}

function splitTokens(text: string, hasLetters: boolean): Token[] {
  const words = [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(([word]) => word);
  return words.flatMap((word, index): Token[] => {
    const before = words[index - 1] ?? "";
    const isLetter = /^[A-Z]$/.test(word) && (hasLetters || index === words.length - 1);
    const isNumeral = /^[IVX]+$/.test(word) && /^\p{Lu}/u.test(before);
    if (isLetter || isNumeral) return [{ key: word, stem: word, isName: true }];
    const lower = word.toLowerCase();
    const denied = deniedWords.get(lower);
    const base = denied ?? sameWords.get(lower) ?? lower;
    const token = { ...stemToken(base), isName: index > 0 && /^\p{Lu}/u.test(word) };
    return denied === undefined && !/^(?:없|불가능)/.test(lower)
      ? [token]
      : [{ key: "not", stem: "not", isName: false }, token];
  });
}

function stemToken(word: string): { key: string; stem: string } {
  if (!isKorean(word)) return { key: word, stem: stemEnglish(word.replace(possessive, "")) };
  const stem = stemKorean(word);
  if (/않|^아니|^아닙/.test(word)) return { key: "not", stem: "not" };
  const base = stem.replace(/^없.*/, "있").replace(/^불가능/, "가능");
  return { key: base, stem: base };
}

/** Indonesian "its", written onto the word: "ibu kotanya" is "ibu kota". */
const possessive = /(?<=\p{L}{4})nya$/u;

function isDenial(key: string): boolean {
  return denials.has(key);
}

/** Words in the order of who does it to whom: whoever stands behind "by" comes first in a passive sentence. */
function orderTokens(tokens: Token[]): Token[] {
  const by = tokens.findIndex(({ key }) => key === "by" || key === "oleh");
  const isPassive = by > 0 && tokens.slice(0, by).some(({ key }) => /^(?:is|are|was|were|been|be|di\w+)$/.test(key));
  return isPassive ? [...tokens.slice(by + 1), ...tokens.slice(0, by)] : tokens;
}
