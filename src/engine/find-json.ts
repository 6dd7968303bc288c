import { isRecord } from "../text/json.ts";

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

/** The JSON values that a reply gives as its answer: what a model thought aloud before it is not looked at. */
export function findReplyJson(text: string): FoundJson[] {
  const all = findJson(text);
  if (all.length === 0 || all[0]?.source === text.trim()) return all;
  const said = findJson(dropThoughts(text));
  return said.length > 0 ? said : all;
}

const closing = /<\/(?:think|thinking|thought|reasoning|reflection)>/gi;

/** The text after the last thought; some chat templates leave out the opening tag. */
export function dropThoughts(text: string): string {
  const last = [...text.matchAll(closing)].at(-1);
  return last ? text.slice(last.index + last[0].length) : text;
}

/** Replies in the shape of a call of a tool (`{"name": …, "arguments": …}`) count as what they are called with, where only that fits. */
export function unwrapToolCalls(found: FoundJson[], fits: (value: unknown) => boolean): FoundJson[] {
  return found.map((one) => (fits(one.value) ? one : (unwrap(one.value).find(({ value }) => fits(value)) ?? one)));
}

const holders = ["arguments", "parameters", "input"] as const;

function unwrap(value: unknown): FoundJson[] {
  const call: unknown = isRecord(value) && isRecord(value.function) ? value.function : value;
  if (!isRecord(call) || typeof call.name !== "string") return [];
  return holders.flatMap((holder) => {
    const given = call[holder];
    if (typeof given === "string") return findJson(given).slice(0, 1);
    return isRecord(given) ? [{ value: given, source: JSON.stringify(given) }] : [];
  });
}

/** Where a JSON text gives the same key twice in one object; null when it does not. The text must be valid JSON. */
export function findRepeatedKey(json: string): (string | number)[] | null {
  const open: Container[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const inside = open.at(-1);
    const sign = json.charCodeAt(at);
    if (sign === quote) {
      const end = findStringEnd(json, at);
      if (inside?.keys && inside.at === null) {
        inside.at = readString(json.slice(at, end));
        if (inside.keys.has(inside.at)) return open.map((one) => one.at ?? "");
        inside.keys.add(inside.at);
      }
      at = end - 1;
    } else if (sign === brace) open.push({ keys: new Set(), at: null });
    else if (sign === bracket) open.push({ keys: null, at: 0 });
    else if (sign === closingBrace || sign === closingBracket) open.pop();
    else if (sign === comma && inside) inside.at = typeof inside.at === "number" ? inside.at + 1 : null;
  }
  return null;
}

/** An object with the keys seen so far and the one being read, or an array with the index being read. */
type Container = { keys: Set<string> | null; at: string | number | null };

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [brace, closingBrace, bracket, closingBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The place behind the string that begins at `start`. */
function findStringEnd(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let first = at;
    while (json.charCodeAt(first - 1) === backslash) first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
  }
  return json.length;
}

function readString(token: string): string {
  return token.includes("\\") ? (JSON.parse(token) as string) : token.slice(1, -1);
}
