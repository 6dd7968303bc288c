import stringWidth from "string-width";

/** How many columns a text takes in a terminal: Hangul, Kana and Han take two, combining marks and colours none. */
export function measureDisplayWidth(text: string): number {
  return stringWidth(text);
}

/** Fills a text with spaces up to a width in columns. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - measureDisplayWidth(text)));
}
