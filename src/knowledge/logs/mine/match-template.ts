const wildcard = "<*>";

/**
 * The values that a message has where its template has `<*>` (spaces count as one), or null when it does not match. A
 * value may be missing, and then the spaces beside it too.
 */
export function matchTemplate(template: string, message: string): string[] | null {
  const text = message.replace(/\s+/g, " ").trim();
  const parts = template.split(wildcard);
  return matchParts(parts, text) ?? matchParts(trimSpaces(parts), text)?.map((value) => value.trim()) ?? null;
}

/** Finds fixed parts from the left, the last one at the end: that finds a match if there is one, in linear time. */
function matchParts(parts: readonly string[], text: string): string[] | null {
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

function trimSpaces(parts: readonly string[]): string[] {
  return parts.map((part, index) => {
    const left = index > 0 ? part.trimStart() : part;
    return index < parts.length - 1 ? left.trimEnd() : left;
  });
}
