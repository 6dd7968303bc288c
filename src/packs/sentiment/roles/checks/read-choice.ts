/** The word of a closed list that was meant: letter case, spaces and hyphens do not matter. */
export function readChoice(words: readonly string[], word: string): string | null {
  const wanted = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return words.find((known) => known.toLowerCase() === wanted) ?? null;
}
