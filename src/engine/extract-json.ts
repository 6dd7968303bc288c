/** Every JSON value that a text holds: the text itself, or the objects and arrays standing in it, fenced or bare. */
export function extractJson(text: string): unknown[] {
  const trimmed = text.replace(/^\uFEFF/, "").trim();
  const whole = parse(trimmed);
  if (whole !== undefined) return [whole];
  const found: unknown[] = [];
  for (let at = nextOpening(trimmed, 0); at >= 0; ) {
    const end = matchingEnd(trimmed, at);
    const value = end < 0 ? undefined : parse(trimmed.slice(at, end));
    if (value !== undefined) found.push(value);
    at = nextOpening(trimmed, value === undefined ? at + 1 : end);
    if (found.length >= maxCandidates) break;
  }
  return found;
}

const maxCandidates = 16;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nextOpening(text: string, from: number): number {
  const match = /[{[]/g;
  match.lastIndex = from;
  return match.exec(text)?.index ?? -1;
}

/** The end of the bracket that opens at `start`, strings skipped; -1 when it never closes. */
function matchingEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
