/** A value from outside as a message can show it: one line, and not a megabyte of it. */
export function shortText(text: string, most = 80): string {
  const line = text.toWellFormed().replaceAll(/[\u0000-\u001F\u007F]+/g, " ");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
