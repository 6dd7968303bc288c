import { jsonrepair } from "jsonrepair";
import { isRecord } from "../text/json.ts";

/** A JSON value found in a text, with the very characters it was read from. */
export type FoundJson = { value: unknown; source: string };

/** Every JSON value in a text: the text itself, or the objects and arrays in it. The work is bounded by the length of the text. */
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

/** A key that a JSON text gives more often than the value read from it has it: in some object it stands twice. */
export function findRepeatedKey(json: string, value: unknown): string | null {
  const counts = new Map<string, number>();
  for (const [, string = "", colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)) {
    const key = colon === undefined ? null : (JSON.parse(string) as string);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const open = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    for (const [key, inner] of Object.entries(one)) {
      if (!Array.isArray(one)) counts.set(key, (counts.get(key) ?? 0) - 1);
      open.push(inner);
    }
  }
  return [...counts].find(([, left]) => left > 0)?.[0] ?? null;
}

/**
 * JSON as people and models write it (trailing commas, single quotes, comments, raw line breaks in strings) as JSON; null when
 * that is not one whole object or list, or when something was left out of it.
 */
export function repairJson(text: string): FoundJson | null {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start < 0 || end <= start || text.length > longestRepair) return null;
  const given = text.slice(start, end);
  if (/(?:^|[[{,\s])(?:\.{3}|…)\s*(?:[,\]}]|$)/m.test(given)) return null;
  try {
    const source = jsonrepair(given);
    // What was cut off is not completed, and two objects are not one list.
    return bracketsOf(source) === bracketsOf(given) ? { value: JSON.parse(source) as unknown, source } : null;
  } catch {
    return null;
  }
}

const longestRepair = 200_000;

function bracketsOf(text: string): string {
  return text.replaceAll(/[^{}[\]]+/g, "");
}
