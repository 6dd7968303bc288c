import { readValues, type Value } from "../../../knowledge/documents/index.ts";
import { remember } from "../../../text/remember.ts";
import { stemEnglish } from "../../../text/stem-english.ts";
import { isKorean, stemKorean } from "../../../text/stem-korean.ts";
import { deniedWords, denials, functionWords, nameAlike, noForms, sameWords, yesForms } from "./answer-words.ts";

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

/** An answer is compared with every other of its round, and often again in the next. */
const readPlain = remember(64, (answer) => takeApart(answer, false));
const readLettered = remember(64, (answer) => takeApart(answer, true));

/** Takes an answer apart (question spec §5.2). */
export function readAnswerParts(answer: string, hasLetters = false): AnswerParts {
  return hasLetters ? readLettered(answer) : readPlain(answer);
}

function takeApart(answer: string, hasLetters: boolean): AnswerParts {
  const text = spell(answer);
  const { values, rest } = readValues(text.replaceAll(numberedThings, markNumber));
  const tokens = splitTokens(rest, hasLetters);
  const [words, names]: [string[], string[]] = [[], []];
  let denies = false;
  for (const { key, stem, isName } of tokens) {
    if (denials.has(key)) denies = !denies;
    else if (!functionWords.has(key)) words.push(stem);
    if (isName) names.push(stem);
  }
  return {
    label: readLabel(answer),
    stance: yesForms.test(text) ? "yes" : noForms.test(text) ? "no" : null,
    values,
    denies,
    words,
    names,
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
  const plain = answer.normalize("NFKC").trim().replaceAll("’", "'");
  const full = plain.includes("'") ? spellContractions(plain) : plain;
  return nameAlike(full.replaceAll(/\bcannot\b/gi, "can not").replaceAll(/\bnon-(?=\p{L})/giu, "non "));
}

function spellContractions(text: string): string {
  return text
    .replaceAll(/\bcan't\b/gi, "can not")
    .replaceAll(/\bwon't\b/gi, "will not")
    .replaceAll(/n't\b/gi, " not")
    .replaceAll(/'(?:s|re|ve|ll|d|m)\b/gi, " ");
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
  const words: string[] = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const tokens: Token[] = [];
  for (const [index, word] of words.entries()) {
    const lower = word.toLowerCase();
    const hasCapital = word !== lower;
    const isLetter = hasCapital && word.length === 1 && (hasLetters || index === words.length - 1);
    const isNumeral = hasCapital && /^[IVX]+$/.test(word) && /^\p{Lu}/u.test(words[index - 1] ?? "");
    if ((isLetter && /[A-Z]/.test(word)) || isNumeral) {
      tokens.push({ key: word, stem: word, isName: true });
      continue;
    }
    const { key, stem, isDenied } = readWord(lower);
    if (isDenied) tokens.push({ key: "not", stem: "not", isName: false });
    tokens.push({ key, stem, isName: index > 0 && hasCapital && /^\p{Lu}/u.test(word) });
  }
  return tokens;
}

/** A word in lower case: what it is compared by, and whether it holds a denial. */
const readWord = remember(2_000, (lower) => {
  const denied = deniedWords.get(lower);
  const isDenied = denied !== undefined || /^(?:없|불가능)/.test(lower);
  return { ...stemToken(denied ?? sameWords.get(lower) ?? lower), isDenied };
});

function stemToken(word: string): { key: string; stem: string } {
  if (!isKorean(word)) return { key: word, stem: stemEnglish(word.replace(possessive, "")) };
  const stem = stemKorean(word);
  if (/않|^아니|^아닙/.test(word)) return { key: "not", stem: "not" };
  const base = stem.replace(/^없.*/, "있").replace(/^불가능/, "가능");
  return { key: base, stem: base };
}

/** Indonesian "its", written onto the word: "ibu kotanya" is "ibu kota". */
const possessive = /(?<=\p{L}{4})nya$/u;

/** Words in the order of who does it to whom: whoever stands behind "by" comes first in a passive sentence. */
function orderTokens(tokens: Token[]): Token[] {
  const by = tokens.findIndex(({ key }) => key === "by" || key === "oleh");
  const isPassive = by > 0 && tokens.slice(0, by).some(({ key }) => /^(?:is|are|was|were|been|be|di\w+)$/.test(key));
  return isPassive ? [...tokens.slice(by + 1), ...tokens.slice(0, by)] : tokens;
}
