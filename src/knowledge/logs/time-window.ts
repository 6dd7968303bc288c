import { ParleyError } from "../../contract/error.ts";
import { TimestampReader } from "./read/timestamps.ts";

export type TimePoint = { kind: "moment" | "clock"; ms: number };

const moment = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const clock = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,3})?)?$/;
const dayMs = 86_400_000;

export function readTimePoint(text: string): TimePoint {
  const trimmed = text.trim();
  const kind = moment.test(trimmed) ? "moment" : clock.test(trimmed) ? "clock" : null;
  const ms = kind === null ? null : new TimestampReader(0).read(trimmed);
  if (kind !== null && ms !== null) return { kind, ms };
  throw new ParleyError("bad_input", `"${text}" is not a time: write e.g. 2024-03-01T10:30:00, or 10:30`);
}

/** A time of day means the last such time before the log's end at `endMs`. */
function resolveTimePoint({ kind, ms }: TimePoint, endMs: number): number {
  if (kind === "moment") return ms;
  const onLastDay = Math.floor(endMs / dayMs) * dayMs + ms;
  return onLastDay > endMs ? onLastDay - dayMs : onLastDay;
}

/** The window given by the options; an end before its start is on the next day. */
export function resolveWindow(
  { since, until }: { since?: TimePoint; until?: TimePoint },
  endMs: number,
): { sinceMs?: number; untilMs?: number } {
  const sinceMs = since && resolveTimePoint(since, endMs);
  const named = until && resolveTimePoint(until, endMs);
  const isNext = until?.kind === "clock" && sinceMs !== undefined && named !== undefined && named < sinceMs;
  const untilMs = isNext ? named + dayMs : named;
  if (sinceMs !== undefined && untilMs !== undefined && (untilMs < sinceMs || (isNext && untilMs > endMs + dayMs / 2)))
    throw new ParleyError("bad_input", "--until is before --since: no event is in between");
  return { ...(sinceMs !== undefined && { sinceMs }), ...(untilMs !== undefined && { untilMs }) };
}
