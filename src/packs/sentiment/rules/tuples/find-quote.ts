const singles = "'‘’‚‛ʼ`´";
const doubles = '"“”„‟«»「」『』';
const outer = new RegExp(`^[${singles}${doubles}]+|[${singles}${doubles}]+$`, "gu");

/** Longer words than these are no quote that someone copied with other spaces. */
const longest = 2000;

/**
 * The words of the text that a quote stands for, as the text writes them; null when there are none. Quotes around it,
 * the shape of quotes inside it and the width of its spaces do not matter: models change them when they copy.
 */
export function findQuote(text: string, words: string): string | null {
  const quote = words.trim();
  if (quote === "" || text.includes(quote)) return quote;
  const bare = quote.replace(outer, "").trim();
  if (bare === "" || bare.length > longest) return null;
  const pattern = Array.from(bare.replace(/\s+/gu, " "), toPattern).join("");
  return new RegExp(pattern, "u").exec(text)?.[0] ?? null;
}

function toPattern(letter: string): string {
  if (letter === " ") return "\\s+";
  if (singles.includes(letter)) return `[${singles}]`;
  if (doubles.includes(letter)) return `[${doubles}]`;
  return /[\\^$.*+?()[\]{}|/-]/.test(letter) ? `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}` : letter;
}
