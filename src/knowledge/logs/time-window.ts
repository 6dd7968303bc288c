import { ParleyError } from "../../contract/error.ts";
import { TimestampReader } from "./read/timestamps.ts";

/** A time as someone names it: a moment, a time of day, or so long before now or before the end of the log. */
export type TimePoint =
  | { kind: "moment"; ms: number }
  | { kind: "clock"; ms: number }
  | { kind: "ago"; ms: number }
  | { kind: "before end"; ms: number };

/** What times are named against: now, and when the log ends (null when that is not known). */
export type TimeAnchors = { nowMs: number; endMs: number | null };

const moment = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const clock = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3}))?)?$/;
const span = /^(\d+(?:\.\d+)?) ?([a-z]+)(?: (ago|before (?:the )?end))?$/i;

const unitMs: Record<string, number> = {
  ...spell("s sec secs second seconds", 1000),
  ...spell("m min mins minute minutes", 60_000),
  ...spell("h hr hrs hour hours", 3_600_000),
  ...spell("d day days", 86_400_000),
};

function spell(names: string, ms: number): Record<string, number> {
  return Object.fromEntries(names.split(" ").map((name) => [name, ms]));
}

/** Reads a time as `--since`, `--until` and `--around` take it (root-cause spec §2.1). */
export function readTimePoint(text: string): TimePoint {
  const trimmed = text.trim();
  const found = readMoment(trimmed) ?? readClock(trimmed) ?? readSpan(trimmed);
  if (found !== null) return found;
  throw new ParleyError(
    "bad_input",
    `"${text}" is not a time: write e.g. 2024-03-01T10:30:00, 10:30, "10 minutes ago" or "10 minutes before end"`,
  );
}

function readMoment(text: string): TimePoint | null {
  const ms = moment.test(text) ? new TimestampReader(0).read(text) : null;
  return ms === null ? null : { kind: "moment", ms };
}

function readClock(text: string): TimePoint | null {
  const [, hours, minutes, seconds = "0", thousandths = "0"] = clock.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const whole = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return { kind: "clock", ms: whole + Number(thousandths.padEnd(3, "0")) };
}

function readSpan(text: string): TimePoint | null {
  const [, amount, unit = "", before = "ago"] = span.exec(text) ?? (text === "now" ? ["", "0", "s"] : []);
  const ms = unitMs[unit.toLowerCase()];
  if (amount === undefined || ms === undefined) return null;
  return { kind: before.toLowerCase() === "ago" ? "ago" : "before end", ms: Number(amount) * ms };
}

const dayMs = 86_400_000;

/** When a named time is: a time of day is the last such time that the log reaches. */
export function resolveTimePoint(point: TimePoint, { nowMs, endMs }: TimeAnchors): number {
  if (point.kind === "moment") return point.ms;
  if (point.kind === "ago") return nowMs - point.ms;
  const end = endMs ?? nowMs;
  if (point.kind === "before end") return end - point.ms;
  const onLastDay = Math.floor(end / dayMs) * dayMs + point.ms;
  return onLastDay > end ? onLastDay - dayMs : onLastDay;
}

/** A stretch over midnight is at most so long; a longer one is two times in the wrong order. */
const longestNightMs = dayMs / 2;

/** The window that the options name; a time of day up to twelve hours after the start may be on the next day. */
export function resolveWindow(
  options: { since?: TimePoint; until?: TimePoint; around?: TimePoint; withinMs?: number },
  anchors: TimeAnchors,
): { sinceMs?: number; untilMs?: number } {
  const { since, until, around, withinMs = 5 * 60_000 } = options;
  if (around !== undefined) {
    const middle = resolveTimePoint(around, anchors);
    return { sinceMs: middle - withinMs, untilMs: middle + withinMs };
  }
  const sinceMs = since === undefined ? undefined : resolveTimePoint(since, anchors);
  let untilMs = until === undefined ? undefined : resolveTimePoint(until, anchors);
  if (sinceMs !== undefined && untilMs !== undefined && untilMs < sinceMs) {
    if (until?.kind !== "clock") throw new ParleyError("bad_input", "--until is before --since");
    untilMs += dayMs;
    const isReversed = until.ms < sinceMs - Math.floor(sinceMs / dayMs) * dayMs;
    if (untilMs < sinceMs || (isReversed && untilMs - sinceMs > longestNightMs)) {
      const hint = "a stretch over midnight may last twelve hours, a longer one needs dates (2024-03-01T10:30)";
      throw new ParleyError("bad_input", `--until is before --since: ${hint}`);
    }
  }
  return { ...(sinceMs !== undefined && { sinceMs }), ...(untilMs !== undefined && { untilMs }) };
}
