import { readFileSync } from "node:fs";
import * as z from "zod";
import { editDistance } from "../../../text/edit-distance.ts";
import { stemEnglish } from "../../../text/stem-english.ts";
import { isIndonesianWord, stemTokens } from "../../../text/stem-indonesian.ts";
import { loadConcepts } from "./concept.ts";
import { detectLanguage } from "./language.ts";
import { listForms, splitWords } from "./words.ts";

/** A question as it is read: short forms in full, slips of the pen mended, and which words that concerned. */
export type ReadText = { text: string; mended: { from: string; to: string }[] };

const file = new URL("../../../../data/law/spelling.json", import.meta.url);
const data = z
  .strictObject({
    /** How short messages write everyday words. */
    short: z.record(z.string(), z.string()),
    /** Towns whose names are near to a term. */
    places: z.array(z.string()),
  })
  .parse(JSON.parse(readFileSync(file, "utf8")));
const shortForms = new Map(Object.entries(data.short));
const places = new Set(data.places);

/** More words than a question of the longest kind has are not looked at. */
const mostWords = 800;

/**
 * Reads a question as its writer meant it (law spec §1.3): "yg" is *yang*, "laki2" is *laki-laki*, and a word that nobody knows
 * is the one term of this field that is a slip away from it. A word that is known, or near two terms, stays as it is.
 */
export function readSpelling(text: string): ReadText {
  const mended: ReadText["mended"] = [];
  const isEnglish = detectLanguage(text) === "en";
  let words = 0;
  const read = text.replaceAll(/[\p{L}\p{N}]+/gu, (word) => {
    words += 1;
    const meant = words > mostWords ? null : isEnglish ? mendSlip(word, true) : readWord(word);
    if (meant === null) return word;
    mended.push({ from: word, to: meant });
    return meant;
  });
  return { text: read, mended };
}

function readWord(word: string): string | null {
  const lower = word.toLowerCase();
  const doubled = /^(?<base>\p{L}{3,})2$/u.exec(lower)?.groups?.["base"];
  if (doubled !== undefined) return `${readWord(doubled) ?? doubled}-${readWord(doubled) ?? doubled}`;
  if (!isAcronym(word)) {
    const full = shortForms.get(lower);
    if (full !== undefined) return full;
  }
  return mendSlip(word, false);
}

function isAcronym(word: string): boolean {
  return word.length > 1 && word === word.toUpperCase();
}

const shortest = 4;

/** The term that a word nobody knows was meant to be; null when there is none, or there are several that are not forms of one. */
function mendSlip(word: string, isEnglish: boolean): string | null {
  const lower = word.toLowerCase();
  if (lower.length < shortest || /\p{N}/u.test(word) || isAcronym(word)) return null;
  const terms = getTerms(isEnglish ? "en" : "id");
  if (places.has(lower) || isKnown(lower, terms, isEnglish)) return null;
  const isName = word !== lower;
  const near = (terms.byInitial.get(lower[0] ?? "") ?? [])
    .filter((term) => !isName || terms.names.has(term))
    .flatMap((term) => {
      const slips = countSlips(lower, term, isEnglish);
      return slips === null ? [] : [{ term, slips }];
    });
  const least = Math.min(...near.map(({ slips }) => slips));
  const nearest = near.filter(({ slips }) => slips === least).map(({ term }) => term);
  const isOneWord = new Set(nearest.flatMap(isEnglish ? stemEnglish : stemTokens)).size === 1;
  return isOneWord ? (nearest.toSorted((a, b) => b.length - a.length)[0] ?? null) : null;
}

function isKnown(word: string, { all, stems }: Terms, isEnglish: boolean): boolean {
  if (listForms(word).some((form) => all.has(form))) return true;
  return isEnglish ? stems.has(stemEnglish(word)) : isIndonesianWord(word);
}

/** The slips between a word and a term; null when there are too many for their length. Vowels that were left out, as short messages do, are one. */
function countSlips(word: string, term: string, isEnglish: boolean): number | null {
  if (Math.abs(word.length - term.length) > 3) return null;
  if (!isEnglish && term.length > word.length && isWithoutVowels(word, term)) return 1;
  const allowed = isEnglish ? Number(word.length >= 6) : word.length >= 11 ? 2 : Number(word.length >= 5);
  if (Math.abs(word.length - term.length) > allowed) return null;
  const slips = editDistance(word, term);
  return slips <= allowed ? slips : null;
}

/** True when the word is the term with some vowels left out. */
function isWithoutVowels(word: string, term: string): boolean {
  let at = 0;
  for (const letter of term) {
    if (letter === word[at]) at += 1;
    else if (!"aiueo".includes(letter)) return false;
  }
  return at === word.length;
}

type Terms = { all: Set<string>; stems: Set<string>; names: Set<string>; byInitial: Map<string, string[]> };
const known = new Map<string, Terms>();

/** The words of all terms in a language; those of communities and bodies of law are names, which may be written with a capital. */
function getTerms(language: "id" | "en"): Terms {
  const before = known.get(language);
  if (before) return before;
  const concepts = loadConcepts();
  const wordsOf = (of: typeof concepts, tongues: ("terms" | "terms_en")[]): string[] =>
    of.flatMap((concept) =>
      tongues.flatMap((tongue) => concept[tongue]).flatMap((term) => splitWords(term.toLowerCase())),
    );
  const own = [language === "en" ? ("terms_en" as const) : ("terms" as const)];
  const all = new Set(wordsOf(concepts, ["terms", "terms_en"]));
  const names = new Set(
    wordsOf(
      concepts.filter(({ type }) => type === "community" || type === "law"),
      own,
    ),
  );
  const long = [...new Set(wordsOf(concepts, own))].filter((word) => word.length > shortest);
  const stems = new Set([...all].map(stemEnglish));
  const terms = { all, stems, names, byInitial: Map.groupBy(long, (word) => word[0] ?? "") };
  known.set(language, terms);
  return terms;
}
