/** How a timestamp orders its numbers: `Y` year, `y` two-digit year, `M` month, `D` day, `h m s`, `f` fraction, `N` the month by name. */
export type TimeLayout =
  | "YMDhmsf"
  | "yMDhmsf"
  | "MDhmsf"
  | "mmddhmsf"
  | "NDhms"
  | "NDhmsY"
  | "DNYhms"
  | "epoch"
  | "uptime"
  | "any";

/** Gives logs without a year the year that keeps their months in order; `endMs` is when the log was last written. */
export class YearClock {
  /** The timestamp read last: neighbouring lines often have the same one. */
  lastText = "";
  lastTime: number | null = null;
  private year: number | null = null;
  private lastMonth = 0;
  private readonly endMs: number;

  constructor(endMs: number) {
    this.endMs = endMs;
  }

  yearOf(month: number, day: number): number {
    if (this.year === null) {
      const end = new Date(this.endMs);
      const isLater = month > end.getUTCMonth() || (month === end.getUTCMonth() && day > end.getUTCDate() + 1);
      this.year = end.getUTCFullYear() - (isLater ? 1 : 0);
    } else if (month < this.lastMonth - 6) this.year += 1;
    else if (month > this.lastMonth + 6) this.year -= 1;
    this.lastMonth = month;
    return this.year;
  }
}

const numbers = new Float64Array(16);
const widths = new Int32Array(16);
const before = new Int32Array(16);
/** What the last timestamp had: how many numbers, and the month that it names (0 is January, -1 none). */
const found = { count: 0, month: -1 };

/** Reads a timestamp as epoch milliseconds (UTC where it names no zone), or null when it is none. */
export function readTimestamp(text: string, layout: TimeLayout, clock: YearClock): number | null {
  if (text === clock.lastText) return clock.lastTime;
  const time = timeOf(text, layout, clock);
  clock.lastText = text;
  clock.lastTime = time === null || Number.isNaN(time) ? null : time;
  return clock.lastTime;
}

function timeOf(text: string, layout: TimeLayout, clock: YearClock): number | null {
  if (layout === "YMDhmsf" && text.length === 23) {
    const time = fixedTime(text);
    if (time >= 0) return time;
  }
  readNumbers(text);
  if (found.count === 0) return null;
  switch (layout) {
    case "YMDhmsf":
      return clockTime(dateOf(numbers[0], numbers[1], numbers[2]), 3) - zoneOffset(text);
    case "yMDhmsf":
      return clockTime(dateOf(2000 + (numbers[0] ?? 0), numbers[1], numbers[2]), 3);
    case "MDhmsf":
      if (widths[0] === 4) return timeOf(text, "YMDhmsf", clock);
      return clockTime(dateOf(clock.yearOf((numbers[0] ?? 1) - 1, numbers[1] ?? 1), numbers[0], numbers[1]), 2);
    case "mmddhmsf": {
      const [monthNumber, day] = [Math.floor((numbers[0] ?? 0) / 100), (numbers[0] ?? 0) % 100];
      return clockTime(dateOf(clock.yearOf(monthNumber - 1, day), monthNumber, day), 1);
    }
    case "NDhms":
      if (widths[1] === 4) return clockTime(dateOf(numbers[1], found.month + 1, numbers[0]), 2);
      return clockTime(dateOf(clock.yearOf(found.month, numbers[0] ?? 1), found.month + 1, numbers[0]), 1);
    case "NDhmsY":
      return clockTime(dateOf(numbers[found.count - 1], found.month + 1, numbers[0]), 1, found.count - 1);
    case "DNYhms":
      return clockTime(dateOf(numbers[1], found.month + 1, numbers[0]), 2) - zoneOffset(text);
    case "epoch":
      return epochOf(numbers[0] ?? 0, found.count > 1 ? (numbers[1] ?? 0) : 0, widths[1] ?? 0);
    case "uptime":
      return Math.round(((numbers[0] ?? 0) + (numbers[1] ?? 0) / 10 ** (widths[1] ?? 0)) * 1000);
    default:
      return readAnyTimestamp(text, clock);
  }
}

let lastSecond = "none";
let lastSecondMs = 0;

/** The commonest form, `2024-03-01 10:00:00,123`, by its places; -1 when it is another one. */
function fixedTime(text: string): number {
  if (!text.startsWith(lastSecond)) {
    const point = text.charCodeAt(19);
    if ((point !== 44 && point !== 46) || text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return -1;
    const date = dateOf(twoDigits(text, 0) * 100 + twoDigits(text, 2), twoDigits(text, 5), twoDigits(text, 8));
    lastSecondMs = date + (twoDigits(text, 11) * 3600 + twoDigits(text, 14) * 60 + twoDigits(text, 17)) * 1000;
    lastSecond = text.slice(0, 20);
  }
  const time = lastSecondMs + twoDigits(text, 20) * 10 + text.charCodeAt(22) - 48;
  return time >= 0 ? time : -1;
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const startsIso = /^\d{4}\D\d{1,2}\D\d{1,2}(?:\D|$)/;

/** Reads a timestamp in whatever layout it looks like. */
export function readAnyTimestamp(text: string, clock: YearClock): number | null {
  if (startsIso.test(text)) return readTimestamp(text, "YMDhmsf", clock);
  if (/^\d{9,}(?:\.\d+)?$/.test(text)) return readTimestamp(text, "epoch", clock);
  if (/^\d{1,2}[/ -][A-Z][a-z]{2}[/ -]\d{4}/.test(text)) return readTimestamp(text, "DNYhms", clock);
  if (/^(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} +\d+ [\d:.]+ \d{4}/.test(text)) return readTimestamp(text, "NDhmsY", clock);
  if (/^[A-Z][a-z]{2} +\d+ \d+:/.test(text)) return readTimestamp(text, "NDhms", clock);
  if (/^\d{2}[/.]\d{2}[/.]\d{2} /.test(text)) return readTimestamp(text, "yMDhmsf", clock);
  if (/^\d{1,2}[-./]\d{1,2} \d/.test(text)) return readTimestamp(text, "MDhmsf", clock);
  return null;
}

/** Collects the numbers of a timestamp and the month that it names. */
function readNumbers(text: string): void {
  found.count = 0;
  found.month = -1;
  let position = 0;
  while (position < text.length && found.count < 10) {
    const code = text.charCodeAt(position);
    if (code < 48 || code > 57) {
      if (found.month < 0 && code >= 65 && code <= 90) found.month = monthAt(text, position);
      position += 1;
      continue;
    }
    let value = 0;
    const start = position;
    for (let next = code; next >= 48 && next <= 57; next = text.charCodeAt(position)) {
      value = value * 10 + next - 48;
      position += 1;
    }
    before[found.count] = start > 0 ? text.charCodeAt(start - 1) : 0;
    pushNumber(value, position - start);
  }
}

/** Dates and times written without separators (`20171223`, `081109 203615`, `0314 15:00:01`) are taken apart. */
function pushNumber(value: number, width: number): void {
  const isCompactDate = found.count === 0 && (width === 8 || width === 6);
  const isCompactTime = found.count === 3 && width === 6 && widths[0] === 2;
  if (isCompactDate || isCompactTime) {
    push(Math.floor(value / 10_000), width - 4);
    push(Math.floor(value / 100) % 100, 2);
    push(value % 100, 2);
    return;
  }
  push(value, width);
}

function push(value: number, width: number): void {
  numbers[found.count] = value;
  widths[found.count] = width;
  found.count += 1;
}

const monthNames = "JanFebMarAprMayJunJulAugSepOctNovDec";

function monthAt(text: string, position: number): number {
  const at = monthNames.indexOf(text.slice(position, position + 3));
  return at >= 0 && at % 3 === 0 ? at / 3 : -1;
}

let lastYear = 0;
let lastMonth = 0;
let lastDay = 0;
let lastDate = 0;

/** Midnight of a day, remembered because neighbouring lines share it; NaN when there is no such month or day. */
function dateOf(year = 1970, monthNumber = 1, day = 1): number {
  if (year === lastYear && monthNumber === lastMonth && day === lastDay) return lastDate;
  const valid = monthNumber >= 1 && monthNumber <= 12 && day >= 1 && day <= 31;
  lastYear = year;
  lastMonth = monthNumber;
  lastDay = day;
  lastDate = valid ? Date.UTC(year, monthNumber - 1, day) : Number.NaN;
  return lastDate;
}

/** Adds hour, minute, second and fraction, which begin at number `at` and end before `end`. */
function clockTime(date: number, at: number, end = found.count): number {
  const part = (index: number) => (index < end ? (numbers[index] ?? 0) : 0);
  const fraction = at + 3 < end && isPoint(before[at + 3] ?? 0) ? part(at + 3) / 10 ** (widths[at + 3] ?? 0) : 0;
  const seconds = part(at) * 3600 + part(at + 1) * 60 + part(at + 2);
  return date + seconds * 1000 + Math.floor(fraction * 1000 + 1e-6);
}

function isPoint(code: number): boolean {
  return code === 46 || code === 44 || code === 58;
}

const zone = /([+-])(\d{2}):?(\d{2})$/;

/** Milliseconds that a trailing `+02:00` is ahead of UTC. */
function zoneOffset(text: string): number {
  const sign = text.charCodeAt(text.length - 6);
  const compact = text.charCodeAt(text.length - 5);
  if (sign !== 43 && sign !== 45 && compact !== 43 && compact !== 45) return 0;
  const match = zone.exec(text);
  if (!match || text.length < 16) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === "-" ? -1 : 1) * minutes * 60_000;
}

function epochOf(value: number, fraction: number, width: number): number {
  const seconds = value + fraction / 10 ** width;
  if (value > 1e17) return Math.floor(value / 1e6);
  if (value > 1e14) return Math.floor(value / 1e3);
  return value > 1e11 ? value : Math.round(seconds * 1000);
}
