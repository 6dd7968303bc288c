import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loaded on first use, because its Unicode tables load more slowly than most commands run. */
let measureAny: ((text: string) => number) | null = null;

/** How many columns a text takes in a terminal: Hangul, Kana and Han take two, combining marks and colours none. */
export function measureDisplayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  measureAny ??= (require("string-width") as typeof import("string-width")).default;
  return measureAny(text);
}

/** True when a text is made only of Latin letters, figures, marks and lines of one column each, without colours. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

const plain =
  /^[ -~\u00A1-\u00AC\u00AE-\u00FF\u2013\u2014\u2018-\u201D\u2022\u2026\u2190-\u2193\u21B3\u2212\u2264\u2265\u2500-\u257F\u2581-\u2588\u25A0-\u25CF]*$/;

/** Fills a text with spaces up to a width in columns. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - measureDisplayWidth(text)));
}
