/** Readers for values of unknown shape: what cannot be used is counted, nothing throws. */
import { isRecord } from "../../../text/is-record.ts";
import type { Span } from "../schemas/stage1.ts";
import { findTerm, isInside } from "../rules/tuples/find-term.ts";

/** Counts what was struck or could not be used, by kind. */
export type Tally = { counts: Record<string, number>; add(kind: string, times?: number): void };

export function createTally(): Tally {
  const counts: Record<string, number> = {};
  return {
    counts,
    add: (kind, times = 1) => {
      if (times > 0) counts[kind] = (counts[kind] ?? 0) + times;
    },
  };
}

/** A word: a string, or the term inside an object such as `{ term, span }`; null when there is none. */
export function readWord(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return readWord(value[0]);
  if (!isRecord(value)) return null;
  for (const key of ["term", "text", "aspect_term", "aspect_ref", "aspect", "span", "value"]) {
    if (typeof value[key] === "string") return value[key];
  }
  return null;
}

/** The first of these keys that holds a word. */
export function findWord(from: Record<string, unknown>, keys: readonly string[]): string | null {
  for (const key of keys) {
    const word = readWord(from[key]);
    if (word !== null && word.trim() !== "") return word;
  }
  return null;
}

export function readText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value
      .map(readText)
      .filter((part) => part !== "")
      .join(" ");
  return readWord(value) ?? "";
}

export function readWords(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => readWord(item)).filter((word) => word !== null && word.trim() !== "") as string[];
}

/** A confidence within 0..1, also from a string or a percentage; `missing` when there is none. */
export function readConfidence<T>(value: unknown, missing: T): number | T {
  const number = typeof value === "string" ? Number.parseFloat(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return missing;
  return Math.min(1, Math.max(0, number > 1 && number <= 100 ? number / 100 : number));
}

/** A span from `{start,end}`, `{from,to}`, `[start,end]`, "start-end" or the words themselves; null when it is not a span. */
export function readSpan(text: string, value: unknown): Span | null {
  const numbers = isRecord(value)
    ? [value.start ?? value.from, value.end ?? value.to]
    : Array.isArray(value)
      ? value
      : typeof value === "string"
        ? value.match(/^\W*(\d+)\s*[-,:~]\s*(\d+)\W*$/)?.slice(1)
        : undefined;
  const [start, end] = (numbers ?? []).map(Number);
  if (start !== undefined && end !== undefined && isInside(text, { start, end })) return { start, end };
  const words = readWord(value);
  return words === null ? null : findTerm(text, words.trim());
}

/** The first list under one of these keys, at the top or in nested objects, nearest first. */
export function findList(value: unknown, keys: readonly string[], depth = 4): unknown[] | null {
  const found = findValue(value, keys, depth);
  return Array.isArray(found) ? found : found === undefined || found === null ? null : [found];
}

/** The first value under one of these keys, at the top or in nested objects and lists, nearest first. */
export function findValue(value: unknown, keys: readonly string[], depth = 4): unknown {
  let level: unknown[] = [value];
  for (let left = depth; left > 0 && level.length > 0; left -= 1) {
    for (const item of level) {
      if (!isRecord(item)) continue;
      const key = keys.find((name) => item[name] !== undefined);
      if (key !== undefined) return item[key];
    }
    level = level.flatMap((item) => (Array.isArray(item) ? item : isRecord(item) ? Object.values(item) : []));
  }
  return undefined;
}
