/** Finds the aspect of a word or speech (sentiment spec §4). */
import { escapePattern } from "../../../text/format.ts";
import type { Material } from "../schemas/material.ts";
import type { Aspect, Sentiment } from "../schemas/stage1.ts";
import { findWord, toNormalForm, toPlainForm } from "./text.ts";

type Match = { aspect: string; how: "stage1" | "text" | "synonym" } | { aspect: null; how: "unknown" };

export type AspectMatcher = {
  resolve(term: string): Match;
  named(speech: string): string[];
  group(term: string): string | null;
  terms: readonly string[];
};

export function createMatcher(material: Material, terms: readonly string[]): AspectMatcher {
  const { text } = material;
  const group = (term: string) => findGroup(material, term);
  const resolve = (term: string): Match => {
    const trimmed = term.normalize("NFC").trim();
    const stage1 = findClosest(trimmed, terms, material.particles);
    if (stage1 !== null) return { aspect: stage1, how: "stage1" };
    const place = findWord(material, trimmed);
    if (place) return { aspect: text.slice(place.start, place.end), how: "text" };
    const own = trimmed === "" ? null : group(trimmed);
    const synonym = own === null ? undefined : terms.find((candidate) => group(candidate) === own);
    return synonym === undefined ? { aspect: null, how: "unknown" } : { aspect: synonym, how: "synonym" };
  };
  const named = (speech: string): string[] => {
    const direct = terms.filter((term) => mentions(material, speech, term));
    if (direct.length > 0) return direct;
    return terms.filter((term) => {
      const own = group(term);
      return own !== null && (material.synonyms[own] ?? []).some((word) => mentions(material, speech, word));
    });
  };
  return { resolve, named, group, terms };
}

type Stage1Words = {
  aspects: readonly Pick<Aspect, "term">[];
  aspect_sentiments?: readonly Pick<Sentiment, "aspect_ref">[];
};

/** The Stage 1 aspects: those of ATE, then those only ATSA names; "" is the implicit one. */
export function listStage1Terms({ aspects, aspect_sentiments = [] }: Stage1Words): string[] {
  const refs = aspect_sentiments.map((sentiment) => sentiment.aspect_ref);
  return [...new Set([...aspects.map((aspect) => aspect.term), ...refs])];
}

export function matchStage1(material: Material, stage1: Stage1Words): AspectMatcher {
  return createMatcher(material, listStage1Terms(stage1));
}

/** A term's synonym group among those in the text: an exact member first, then a member inside the term. */
function findGroup({ synonyms, particles, language_code }: Material, term: string): string | null {
  const members = Object.entries(synonyms).flatMap(([group, words]) =>
    words.map((word) => ({ form: toPlainForm(word), group })),
  );
  const [plain, normal] = [toPlainForm(term), toNormalForm(term, particles)];
  const exact = members.find(({ form }) => form === plain) ?? members.find(({ form }) => form === normal);
  if (exact) return exact.group;
  const words = language_code === "en" ? term.toLowerCase().split(/[^\p{L}\p{N}]+/u) : null;
  const inside = members.find(({ form }) => form.length >= 2 && (words ? words.includes(form) : plain.includes(form)));
  return inside?.group ?? null;
}

function findClosest(term: string, terms: readonly string[], particles: readonly string[]): string | null {
  if (terms.includes(term)) return term;
  const forms = (one: string) => [toPlainForm(one), toNormalForm(one, particles)];
  const own = forms(term);
  const named = terms.filter((one) => one !== "" && own[0] !== "");
  const isSame = (one: string) => toPlainForm(one) === own[0];
  return named.find(isSame) ?? named.find((one) => forms(one).some((form) => own.includes(form))) ?? null;
}

function mentions({ language_code, particles }: Material, speech: string, term: string): boolean {
  if (language_code === "ko") {
    const form = toNormalForm(term, particles);
    return form !== "" && toPlainForm(speech).includes(form);
  }
  const pattern = escapePattern(term.toLowerCase().trim());
  return (
    pattern !== "" && new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "u").test(speech.toLowerCase())
  );
}
