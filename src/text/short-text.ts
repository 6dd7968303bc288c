/** Untrusted text for a message: one line, cut to a limited length. */
export function shortenText(text: string, most = 80): string {
  const line = text.toWellFormed().replaceAll(/[\u0000-\u001F\u007F]+/g, " ");
  return cutText(line, most);
}

/** A text of at most so many characters; where something is left out, the last one says so. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(0, most - 1))}…` : text;
}
