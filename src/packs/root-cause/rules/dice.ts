const stopWords = new Set(
  "a an and are as at be by due for from has in into is it its of on or that the to was with".split(" "),
);

/** Dice coefficient of the stemmed words of two texts: 2·shared / (words of a + words of b); 0 when either has none. */
export function stemmedDice(a: string, b: string): number {
  const [left, right] = [stems(a), stems(b)];
  if (left.size === 0 || right.size === 0) return 0;
  const shared = [...left].filter((stem) => right.has(stem)).length;
  return (2 * shared) / (left.size + right.size);
}

function stems(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word)).map(stem));
}

const suffixes = ["ations", "ation", "ments", "ment", "ings", "ing", "edly", "ies", "ed", "es", "s"];

/** A light English stemmer: enough to equate "exhausted", "exhausts" and "exhausting". */
export function stem(word: string): string {
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix) || word.length - suffix.length < 3) continue;
    const root = word.slice(0, -suffix.length);
    return (suffix === "ies" ? `${root}y` : root).replace(/([^aeiouls])\1$/, "$1").replace(/e$/, "");
  }
  return word.length > 3 ? word.replace(/e$/, "") : word;
}
