import type { Language } from "./language.ts";

/** A term for comparison (sentiment spec §4): no particle, lower case, no white space or punctuation. */
export function toNormalForm(term: string, language: Language): string {
  const plain = toPlainForm(term);
  const particle = sortParticles(language).find((ending) => plain.length > ending.length && plain.endsWith(ending));
  return particle === undefined ? plain : plain.slice(0, -particle.length);
}

/** A term in lower case without white space and punctuation, its particle kept. */
export function toPlainForm(term: string): string {
  return term
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const longestFirst = new WeakMap<Language, readonly string[]>();

function sortParticles(language: Language): readonly string[] {
  const known = longestFirst.get(language);
  if (known) return known;
  const sorted = language.particles.toSorted((a, b) => b.length - a.length);
  longestFirst.set(language, sorted);
  return sorted;
}
