/** A JSON value found in a text, with the very characters it was read from. */
export type FoundJson = { value: unknown; source: string };

/** Every JSON value in a text: the text itself, or the objects and arrays in it, fenced or bare. */
export function extractJson(text: string): unknown[] {
  return findJson(text).map(({ value }) => value);
}

/** As `extractJson`, each value with its source. The work is bounded by the length of the text, whatever it holds. */
export function findJson(text: string): FoundJson[] {
  // A byte order mark is white space to `trim`.
  const trimmed = text.trim();
  const whole = parse(trimmed);
  if (whole !== undefined) return [{ value: whole, source: trimmed }];
  const found: FoundJson[] = [];
  let work = stepsPerCharacter * trimmed.length + freeSteps;
  for (let at = findNextOpening(trimmed, 0); at >= 0 && work > 0 && found.length < maxCandidates; ) {
    const end = findMatchingEnd(trimmed, at);
    work -= (end < 0 ? trimmed.length : end) - at;
    const source = end < 0 ? "" : trimmed.slice(at, end);
    const value = end < 0 ? undefined : parse(source);
    if (value !== undefined) found.push({ value, source });
    at = findNextOpening(trimmed, value === undefined ? at + 1 : end);
  }
  return found;
}

/** What the parser says is wrong with the first JSON value that a text begins; null when it begins none or it is valid. */
export function findJsonFault(text: string): string | null {
  const start = findNextOpening(text, 0);
  if (start < 0) return null;
  const end = findMatchingEnd(text, start);
  const given = end < 0 ? text.slice(start).trim() : text.slice(start, end);
  try {
    JSON.parse(given);
    return null;
  } catch (error) {
    const { message } = error as SyntaxError;
    return /\d/.test(message) ? message : `${message} after ${given.length} characters: …${given.slice(-40)}`;
  }
}

const maxCandidates = 16;
const stepsPerCharacter = 64;
const freeSteps = 1_000_000;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findNextOpening(text: string, from: number): number {
  const match = /[{[]/g;
  match.lastIndex = from;
  return match.exec(text)?.index ?? -1;
}

/** Where the bracket that opens at `start` closes, skipping strings; -1 when it never does. */
function findMatchingEnd(text: string, start: number): number {
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
