import { type Level, levels } from "../../../contract/parsed-log.ts";
import type { KeptEvent } from "../event/event.ts";

export type ErrorSeen = { type: string; message: string; count: number; event: KeptEvent };

/** Facts about a shape; `count` is of the log, `referenceCount` of the fault-free reference. */
export type ShapeFacts = {
  count: number;
  referenceCount: number;
  /** Events per level, in the order of `levels`. */
  levels: number[];
  referenceLevel: Level | null;
  errorCount: number;
  inferred: Level | null;
  component: string | null;
  names: boolean;
  first: KeptEvent | null;
  last: { line: number; timestamp: number | null };
  kept: KeptEvent[];
  errors: ErrorSeen[];
};

export function createFacts(): ShapeFacts {
  const last = { line: 0, timestamp: null };
  return {
    count: 0,
    referenceCount: 0,
    levels: levels.map(() => 0),
    referenceLevel: null,
    errorCount: 0,
    inferred: null,
    component: null,
    names: false,
    first: null,
    last,
    kept: [],
    errors: [],
  };
}

export function joinFacts(into: ShapeFacts, from: ShapeFacts): void {
  into.count += from.count;
  into.referenceCount += from.referenceCount;
  into.levels = into.levels.map((count, index) => count + (from.levels[index] ?? 0));
  into.errorCount += from.errorCount;
  into.component ??= from.component;
  into.referenceLevel ??= from.referenceLevel;
  if (into.first === null || (from.first !== null && from.first.order < into.first.order)) into.first = from.first;
  if (from.last.line > 0 && isLater(from.last, into.last)) into.last = from.last;
  into.kept = [...into.kept, ...from.kept].sort((a, b) => a.order - b.order).slice(0, maxKept);
  for (const seen of from.errors) {
    const known = into.errors.find(({ type }) => type === seen.type);
    if (known) known.count += seen.count;
    else if (into.errors.length < maxErrorTypes) into.errors.push(seen);
  }
}

export const firstKept = 2;
export const errorsKept = 4;
const maxKept = firstKept + errorsKept;
export const maxErrorTypes = 6;

function isLater(a: ShapeFacts["last"], b: ShapeFacts["last"]): boolean {
  return a.timestamp !== null && b.timestamp !== null ? a.timestamp >= b.timestamp : b.line === 0;
}

/** The most common level of a shape, the worse one in a tie; the reference's if the log has none. */
export function findCommonLevel(facts: ShapeFacts): Level | null {
  const most = Math.max(...facts.levels);
  return most === 0 ? facts.referenceLevel : (levels[facts.levels.lastIndexOf(most)] ?? null);
}

export function isBad(level: Level | null): boolean {
  return level === "ERROR" || level === "FATAL";
}
