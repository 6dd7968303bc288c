const wildcard = "<*>";

/**
 * The values that a message has where its template has `<*>` (spaces count as one), or null when it does not match.
 * Fixed parts are found from the left, the last one at the end; that finds a match whenever there is one, in linear time.
 */
export function matchTemplate(template: string, message: string): string[] | null {
  const text = message.replace(/\s+/g, " ").trim();
  const parts = template.split(wildcard);
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return text === first ? [] : null;
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const end = text.length - last.length;
  const values: string[] = [];
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = text.indexOf(part, position);
    if (at < 0 || at + part.length > end) return null;
    values.push(text.slice(position, at));
    position = at + part.length;
  }
  return position <= end ? [...values, text.slice(position, end)] : null;
}
