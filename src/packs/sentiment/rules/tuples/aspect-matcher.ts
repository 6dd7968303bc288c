import {
  findAspectGroup,
  type Language,
  type LanguageCode,
  languageOf,
  toNormalForm,
  toPlainForm,
} from "../../../../knowledge/opinions/index.ts";
import type { Aspect, Sentiment } from "../../schemas/stage1.ts";
import { findQuote } from "./find-quote.ts";
import { findTerm } from "./find-term.ts";

/** What a word stands for: a Stage 1 aspect, another term of the text, or nothing known. */
export type Match = { aspect: string; how: "stage1" | "text" | "synonym" } | { aspect: null; how: "unknown" };

/** Finds the aspect that a word or a speech is about (sentiment spec §4). */
export type AspectMatcher = {
  /** One word: a Stage 1 aspect by normal form, else a term of the text, else a synonym of a Stage 1 aspect. */
  resolve(term: string): Match;
  /** A speech: every Stage 1 aspect it names by normal form, else those it names by a synonym. */
  named(speech: string): string[];
  group(term: string): string | null;
  /** The words of the text that a quote stands for, as the text writes them. */
  quote(words: string): string | null;
  terms: readonly string[];
};

/** Finds the aspects with these terms. */
export function createAspectMatcher(text: string, terms: readonly string[], language: Language): AspectMatcher {
  const group = (term: string) => findAspectGroup(term, language);
  const sameForm = (term: string) => findClosest(term, terms, language);
  const resolve = (term: string): Match => {
    const trimmed = term.trim();
    const stage1 = sameForm(trimmed);
    if (stage1 !== null) return { aspect: stage1, how: "stage1" };
    const place = findTerm(text, trimmed);
    if (place) return { aspect: text.slice(place.start, place.end), how: "text" };
    const synonym = trimmed === "" ? undefined : sameGroup(trimmed);
    return synonym === undefined ? { aspect: null, how: "unknown" } : { aspect: synonym, how: "synonym" };
  };
  const sameGroup = (term: string) => {
    const own = group(term);
    return own === null ? undefined : terms.find((candidate) => group(candidate) === own);
  };
  const named = (speech: string): string[] => {
    const plain = toPlainForm(speech);
    const direct = terms.filter((term) => mentions(plain, speech, term, language));
    if (direct.length > 0) return direct;
    return terms.filter((term) => {
      const own = group(term);
      return own !== null && synonymsOf(own, language).some((word) => mentions(plain, speech, word, language));
    });
  };
  return { resolve, named, group, quote: (words) => findQuote(text, words), terms };
}

/** What Stage 1 said so far, in words. */
type Stage1Words = {
  aspects: readonly Pick<Aspect, "term">[];
  aspect_sentiments?: readonly Pick<Sentiment, "aspect_ref">[];
};

/** The Stage 1 aspects: those of ATE, then those that only ATSA names; "" is the implicit one. */
export function listStage1Terms({ aspects, aspect_sentiments = [] }: Stage1Words): string[] {
  const refs = aspect_sentiments.map((sentiment) => sentiment.aspect_ref);
  return [...new Set([...aspects.map((aspect) => aspect.term), ...refs])];
}

/** Finds the Stage 1 aspects of a text. */
export function createStage1Matcher(
  input: { text: string; language_code: LanguageCode },
  stage1: Stage1Words,
): AspectMatcher {
  return createAspectMatcher(input.text, listStage1Terms(stage1), languageOf(input.language_code));
}

/** The words of a synonym group. */
export function synonymsOf(group: string, language: Language): readonly string[] {
  return language.aspect_synonyms[group] ?? [];
}

function findClosest(term: string, terms: readonly string[], language: Language): string | null {
  if (terms.includes(term)) return term;
  const [plain, stripped] = [toPlainForm(term), toNormalForm(term, language)];
  const tests: ((candidate: string) => boolean)[] = [
    (candidate) => plain !== "" && toPlainForm(candidate) === plain,
    (candidate) =>
      stripped !== "" && (toPlainForm(candidate) === stripped || toNormalForm(candidate, language) === plain),
    (candidate) => stripped !== "" && toNormalForm(candidate, language) === stripped,
  ];
  for (const test of tests) {
    const found = terms.find(test);
    if (found !== undefined) return found;
  }
  return null;
}

function mentions(plain: string, speech: string, term: string, language: Language): boolean {
  if (language.cue_match === "substring") {
    const form = toNormalForm(term, language);
    return form !== "" && plain.includes(form);
  }
  const pattern = term
    .toLowerCase()
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return (
    pattern !== "" && new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "u").test(speech.toLowerCase())
  );
}
