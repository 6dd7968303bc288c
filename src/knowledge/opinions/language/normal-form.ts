import type { Language } from "./language.ts";

/** A term for comparison (spec section 4): no particle, lower case, no white space or punctuation. */
export function normalForm(term: string, language: Language): string {
  const plain = plainForm(term);
  const particle = particlesOf(language).find((ending) => plain.length > ending.length && plain.endsWith(ending));
  return particle === undefined ? plain : plain.slice(0, -particle.length);
}

/** A term in lower case without white space and punctuation, its particle kept. */
export function plainForm(term: string): string {
  return term
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const longestFirst = new WeakMap<Language, readonly string[]>();

function particlesOf(language: Language): readonly string[] {
  const known = longestFirst.get(language);
  if (known) return known;
  const sorted = language.particles.toSorted((a, b) => b.length - a.length);
  longestFirst.set(language, sorted);
  return sorted;
}
