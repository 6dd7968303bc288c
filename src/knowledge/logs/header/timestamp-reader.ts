import { Calendar } from "./calendar.ts";
import { type TimestampLayout, timestampLayouts } from "./timestamp-layouts.ts";
import { TimestampNumbers } from "./timestamp-numbers.ts";

/** The layout of a source's timestamps; `any` looks at each one. */
export type TimeLayout = TimestampLayout | "any";

/** What a timestamp in some layout looks like, the first that fits. */
const looks: readonly (readonly [RegExp, TimestampLayout])[] = [
  [/^\d{4}\D\d{1,2}\D\d{1,2}(?:\D|$)/, "YMDhmsf"],
  [/^\d{9,}(?:\.\d+)?$/, "epoch"],
  [/^\d{1,2}[/ -][A-Z][a-z]{2}[/ -]\d{4}/, "DNYhms"],
  [/^(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} +\d+ [\d:.]+ \d{4}/, "NDhmsY"],
  [/^[A-Z][a-z]{2} +\d+ \d+:/, "NDhms"],
  [/^\d{2}[/.]\d{2}[/.]\d{2} /, "yMDhmsf"],
  [/^\d{1,2}[-./]\d{1,2} \d/, "MDhmsf"],
];

/**
 * Reads the timestamps of one source. Neighbouring lines share most of theirs, so it remembers the last one, its second
 * and its day; a log without years gets the year that keeps its months in order.
 */
export class TimestampReader {
  private readonly numbers = new TimestampNumbers();
  private readonly calendar: Calendar;
  private lastText = "";
  private lastTime: number | null = null;
  /** What the last timestamp of fixed width had before its milliseconds; no timestamp begins with `none`. */
  private secondText = "none";
  private secondMs = 0;

  /** `endMs` is when the source was last written. */
  constructor(endMs: number) {
    this.calendar = new Calendar(endMs);
  }

  /** Reads a timestamp as epoch milliseconds (UTC where it names no zone), or null when it is not one. */
  read(text: string, layout: TimeLayout): number | null {
    if (text === this.lastText) return this.lastTime;
    const time = layout === "any" ? this.readAny(text) : this.readLayout(text, layout);
    this.lastText = text;
    this.lastTime = time === null || Number.isNaN(time) ? null : time;
    return this.lastTime;
  }

  /** Reads a timestamp in whatever layout it looks like. */
  readAny(text: string): number | null {
    for (const [look, layout] of looks) if (look.test(text)) return this.read(text, layout);
    return null;
  }

  private readLayout(text: string, layout: TimestampLayout): number | null {
    if (layout === "YMDhmsf" && (text.length === 23 || (text.length === 24 && text.charCodeAt(23) === 90))) {
      const time = this.readFixed(text);
      if (time >= 0) return time;
    }
    this.numbers.read(text);
    return this.numbers.count === 0 ? null : timestampLayouts[layout](this.numbers, this.calendar);
  }

  /** The commonest form, `2024-03-01 10:00:00,123` with or without a `Z`, by its places; -1 when it is another one. */
  private readFixed(text: string): number {
    if (!text.startsWith(this.secondText)) {
      if (!hasFixedForm(text)) return -1;
      const year = readTwoDigits(text, 0) * 100 + readTwoDigits(text, 2);
      const day = this.calendar.startOfDay(year, readTwoDigits(text, 5), readTwoDigits(text, 8));
      this.secondMs =
        day + (readTwoDigits(text, 11) * 3600 + readTwoDigits(text, 14) * 60 + readTwoDigits(text, 17)) * 1000;
      this.secondText = text.slice(0, 20);
    }
    const time = this.secondMs + readTwoDigits(text, 20) * 10 + text.charCodeAt(22) - 48;
    return time >= 0 ? time : -1;
  }
}

/** Colons in the clock time, and a dot or comma before the milliseconds. */
function hasFixedForm(text: string): boolean {
  const point = text.charCodeAt(19);
  return (point === 44 || point === 46) && text.charCodeAt(13) === 58 && text.charCodeAt(16) === 58;
}

function readTwoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}
