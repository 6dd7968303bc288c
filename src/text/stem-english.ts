const suffixes = ["ations", "ation", "ments", "ment", "ings", "ing", "edly", "ies", "ed", "es", "s"];

/** Reduces an English word to its stem; light, but enough to equate "exhausted", "exhausts" and "exhausting". */
export function stemEnglish(word: string): string {
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix) || word.length - suffix.length < 3 || word.endsWith("ss")) continue;
    const root = word.slice(0, -suffix.length);
    return (suffix === "ies" ? `${root}y` : root).replace(/([^aeiouls])\1$/, "$1").replace(/(?<=.{3})e+$/, "");
  }
  return word.replace(/(?<=.{3})e+$/, "");
}
