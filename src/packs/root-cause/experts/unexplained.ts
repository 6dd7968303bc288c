import { rateTelling, type Suspect } from "../../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";

const unnamed = new Set(["new_errors", "new_exception", "stopped_work", "failing_requests"]);
/** A line that names an exception or says what was missing, too large or refused tells at least this much. */
const telling = 2;
/** Who does not know why is not sure. */
export const mostUnexplained = 0.4;

/** Whether a suspect is only a place where something fails: no sign, no telling words, no change before it, no reference that lacks it. */
export function isUnexplained({ findings, change }: Suspect, log: ParsedLog): boolean {
  const known = findings.some(({ sign }) => !unnamed.has(sign));
  const told = findings.some(({ words = "" }) => rateTelling(words) >= telling);
  return log.reference === null && findings.length > 0 && !known && !told && change === null;
}

/** What is known by its symptoms alone may follow from something that nobody heard of, so nobody is surer of it than this. */
export const mostBySymptoms = 0.6;

/** How sure one may be of a suspect at most: a named cause settles more than symptoms, and symptoms more than a place. */
export function limitSureness(suspect: Suspect, log: ParsedLog): number {
  if (isUnexplained(suspect, log)) return mostUnexplained;
  return suspect.findings.some(({ role }) => role === "cause") ? 0.97 : mostBySymptoms;
}

/** What would tell the cause that the log does not name. */
export function listWhatWouldTell(place: string, firstMs: number | null): string[] {
  const when = firstMs === null ? "" : ` around ${new Date(firstMs).toISOString().slice(0, 19).replace("T", " ")}`;
  return [
    `Read the log of ${place} and of what it calls${when}, at a finer level`,
    "Compare with the log of a healthy period (`--reference`): what is new there or missing here",
    "Ask what was released or configured at that time",
  ];
}
