import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loaded when it is first needed: it knows the scripts of the world, which takes longer to load than most commands need. */
let measureAny: ((text: string) => number) | null = null;

/** How many columns a text takes in a terminal: Hangul, Kana and Han take two, combining marks and colours none. */
export function measureDisplayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  measureAny ??= (require("string-width") as typeof import("string-width")).default;
  return measureAny(text);
}

/** True when a text is made only of letters, figures and marks of one column each, without colours. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

const plain = /^[ -~]*$/;

/** Fills a text with spaces up to a width in columns. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - measureDisplayWidth(text)));
}
