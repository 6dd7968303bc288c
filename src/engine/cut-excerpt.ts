/** The beginning of a text on one line, to be quoted in a message. */
export function cutExcerpt(text: string): string {
  const line = text.slice(0, 1000).replace(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
