import type { LogTemplate } from "../schemas/parsed-log.ts";

/** How often a template occurs in the log and in the reference, of how many events. */
export type Occurrence = { count: number; events: number; referenceCount: number; referenceEvents: number };

/**
 * Compares a template's rate with the reference (root-cause spec §2.6): new, vanished, or at least twice as frequent or rare
 * while more than three deviations off, else the same.
 */
export function compareRates(occurrence: Occurrence): NonNullable<LogTemplate["change"]> {
  const { count, events, referenceCount, referenceEvents } = occurrence;
  if (referenceCount === 0) return "new";
  if (count === 0) return "vanished";
  const expected = (referenceCount * events) / Math.max(1, referenceEvents);
  const deviation = Math.sqrt(expected + (expected * events) / Math.max(1, referenceEvents));
  if (count >= 2 * expected && count - expected > 3 * deviation) return "more";
  return 2 * count <= expected && expected - count > 3 * deviation ? "less" : "same";
}
