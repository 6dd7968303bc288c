/** Korean opinion stems in all their shapes, and review vocabulary. */
import { type ContextWord, readContextWords, readStrengths, readVocabulary } from "../reading/data.ts";
import { loadOnce } from "../reading/language.ts";

type Shape = { shape: string; stem: string };

export type KoreanLexicon = {
  stems: Map<string, number>;
  shapes: Map<string, Shape[]>;
  longest: number;
};

export const openKoreanLexicon = loadOnce((): KoreanLexicon => {
  const stems = new Map<string, number>();
  for (const [value, rest] of readStrengths("ko/opinion.txt"))
    for (const stem of rest.split(/\s+/)) if (!stems.has(stem)) stems.set(stem, value);
  const longest = Math.max(...[...stems.keys()].map((stem) => stem.length));
  return { stems, shapes: listShapes(stems.keys()), longest };
});

function listShapes(stems: Iterable<string>): Map<string, Shape[]> {
  const shapes = new Map<string, Shape[]>();
  for (const stem of stems) {
    if (stem.length < 2) continue;
    for (const shape of spellShapes(stem)) {
      const key = shape.slice(0, 2);
      shapes.set(key, [...(shapes.get(key) ?? []), { shape, stem }]);
    }
  }
  for (const list of shapes.values()) list.sort((a, b) => b.shape.length - a.shape.length);
  return shapes;
}

const openContextStems = loadOnce(() => readContextWords("ko/context.txt"));

/** Stems such as 크 or 많, whose polarity depends on the thing described. */
export function findContextStem(stem: string): ContextWord | undefined {
  return openContextStems().get(stem);
}

export function findStem(word: string): { stem: string; rest: string } | undefined {
  const spelt = spell(word);
  for (const { shape, stem } of openKoreanLexicon().shapes.get(spelt.slice(0, 2)) ?? []) {
    if (spelt.startsWith(shape)) return { stem, rest: spelt.slice(shape.length) };
  }
  return undefined;
}

export const openVocabulary = loadOnce(() => readVocabulary("ko"));

/** The shapes of a stem before its endings, in letters: 더럽 → 더럽, 더러우, 더러워; 빠르 → 빠르, 빨라; 예쁘 → 예쁘, 예뻐. */
function spellShapes(stem: string): string[] {
  const head = stem.slice(0, -1);
  const last = stem.at(-1) ?? "";
  const letters = lettersOf(last);
  const shapes = [spell(stem)];
  if (!letters) return shapes;
  const [initial, vowel, final] = letters;
  if (final === "ㅂ")
    shapes.push(...["우", "워", "와"].map((next) => spell(head + joinLetters(initial, vowel, "") + next)));
  if (final === "ㅅ")
    shapes.push(
      spell(`${head}${joinLetters(initial, vowel, "")}아`),
      spell(`${head}${joinLetters(initial, vowel, "")}은`),
    );
  if (final === "" && last === "르") shapes.push(...spellDoubled(head));
  else if (final === "" && vowel === "ㅡ")
    shapes.push(spell(head + joinLetters(initial, "ㅓ", "")), spell(head + joinLetters(initial, "ㅏ", "")));
  if (final === "" && last === "하") shapes.push(spell(`${head}해`), spell(`${head}한`), spell(`${head}함`));
  if (final === "" && vowel === "ㅣ") shapes.push(spell(head + joinLetters(initial, "ㅕ", "")));
  if (final === "" && vowel === "ㅗ") shapes.push(spell(head + joinLetters(initial, "ㅘ", "")));
  if (final === "" && vowel === "ㅜ") shapes.push(spell(head + joinLetters(initial, "ㅝ", "")));
  return shapes;
}

/** 빠르 → 빨라, 빨러. */
function spellDoubled(head: string): string[] {
  const letters = lettersOf(head.at(-1) ?? "");
  if (!letters || letters[2] !== "") return [];
  const closed = head.slice(0, -1) + joinLetters(letters[0], letters[1], "ㄹ");
  return [spell(`${closed}라`), spell(`${closed}러`)];
}

const initials = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".split("");
const vowels = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ".split("");
const finals = ["", ..."ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ".split("")];

/** The letters of a Hangul syllable: initial, vowel, final ("" without one); null for anything else. */
export function lettersOf(syllable: string): [string, string, string] | null {
  const code = syllable.charCodeAt(0) - 0xac00;
  if (code < 0 || code >= 11172) return null;
  return [
    initials[Math.floor(code / 588)] as string,
    vowels[Math.floor((code % 588) / 28)] as string,
    finals[code % 28] as string,
  ];
}

function joinLetters(initial: string, vowel: string, final: string): string {
  return String.fromCharCode(
    0xac00 + initials.indexOf(initial) * 588 + vowels.indexOf(vowel) * 28 + finals.indexOf(final),
  );
}

/** Decomposes a text into letters, so that "더러웠" starts with "더러워". */
export function spell(text: string): string {
  let spelt = "";
  for (const char of text) spelt += lettersOf(char)?.join("") ?? char;
  return spelt;
}
