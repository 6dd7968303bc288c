/** How many columns a text takes in a terminal: Hangul, Kana, Han and full-width signs take two, combining marks none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Fills a text with spaces up to a width. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function characterWidth(character: string): number {
  if (/\p{Mark}|\p{Cf}/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;
