const months = "JanFebMarAprMayJunJulAugSepOctNovDec";
const clock = "(\\d{1,2})[:.](\\d{2})(?:[:.](\\d{2})(?:[.,:](\\d+))?)?";
const dayMs = 86_400_000;

type Parts = { year?: string; month: string; day: string; clock: (string | undefined)[]; zone?: string };

const dates: readonly (readonly [RegExp, (match: RegExpExecArray) => Parts])[] = [
  [
    new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})(?:\\D${clock})? ?(Z|[A-Z]{3}|[+-]\\d{2}:?\\d{2})?`),
    ([, year, month = "", day = "", h, m, s, f, zone]) => ({ year, month, day, clock: [h, m, s, f], zone }),
  ],
  [
    /^(\d\d)(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)$/,
    ([, year, month = "", day = "", h, m, s]) => ({ year, month, day, clock: [h, m, s] }),
  ],
  [
    new RegExp(`^(\\d\\d)/(\\d\\d)/(\\d\\d) ${clock}`),
    ([, year, month = "", day = "", h, m, s, f]) => ({ year, month, day, clock: [h, m, s, f] }),
  ],
  [
    new RegExp(`^(\\d{1,2})[-/ ]([A-Z][a-z]{2})[-/ ](\\d{4})[ :T]${clock} ?([+-]\\d{2}:?\\d{2})?`),
    ([, day = "", month = "", year, h, m, s, f, zone]) => ({ year, month, day, clock: [h, m, s, f], zone }),
  ],
  [
    new RegExp(`^(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) +(\\d{1,2}) (?:(\\d{4}) )?${clock}(?: (\\d{4}))?`),
    ([, month = "", day = "", before, h, m, s, f, after]) => ({
      year: before ?? after,
      month,
      day,
      clock: [h, m, s, f],
    }),
  ],
  [
    new RegExp(`^(\\d\\d)(\\d\\d) ${clock}`),
    ([, month = "", day = "", h, m, s, f]) => ({ month, day, clock: [h, m, s, f] }),
  ],
];
const timeOfDay = new RegExp(`^${clock}$`);

/**
 * Parses the timestamps of one source as epoch milliseconds, UTC without a zone. A log without years gets the year
 * that keeps its months in order and ends by `endMs`; a time without a day belongs to `dayOf`.
 */
export class TimestampReader {
  isDated = true;
  private readonly endMs: number;
  private readonly dayOf: number;
  private year: number | null = null;
  private lastMonth = 0;
  private lastText = "";
  private lastTime: number | null = null;
  private lastForm = dates[0];

  constructor(endMs: number, dayOf = 0) {
    this.endMs = endMs;
    this.dayOf = Math.floor(dayOf / dayMs) * dayMs;
  }

  read(text: string): number | null {
    if (text === this.lastText) return this.lastTime;
    this.lastText = text;
    const time = this.readEpoch(text) ?? this.readDate(text) ?? this.readClock(text);
    this.lastTime = time === null || Number.isNaN(time) ? null : time;
    return this.lastTime;
  }

  private readEpoch(text: string): number | null {
    if (!/^\d+(?:\.\d+)?$/.test(text)) return null;
    const value = Number(text);
    if (value > 1e17) return Math.floor(value / 1e6);
    if (value > 1e14) return Math.floor(value / 1e3);
    if (value > 1e11) return value;
    if (value >= 1e8) return Math.round(value * 1000);
    if (!text.includes(".")) return null;
    this.isDated = false;
    return Math.round(value * 1000);
  }

  private readDate(text: string): number | null {
    const match = this.lastForm?.[0].exec(text);
    if (match && this.lastForm) return this.join(this.lastForm[1](match));
    for (const form of dates) {
      const found = form[0].exec(text);
      if (found === null) continue;
      this.lastForm = form;
      return this.join(form[1](found));
    }
    return null;
  }

  private join({ year, month, day, clock: parts, zone }: Parts): number {
    const at = /\d/.test(month) ? Number(month) : months.indexOf(month) / 3 + 1;
    if (at < 1 || at > 12 || !Number.isInteger(at) || Number(day) < 1 || Number(day) > 31) return Number.NaN;
    const full = year === undefined ? this.findYear(at, Number(day)) : Number(year) + (year.length === 2 ? 2000 : 0);
    return Date.UTC(full, at - 1, Number(day)) + readTimeOfDay(parts) - readZone(zone);
  }

  private readClock(text: string): number | null {
    const match = timeOfDay.exec(text);
    if (match === null) return null;
    this.isDated = false;
    return this.dayOf + readTimeOfDay(match.slice(1));
  }

  private findYear(month: number, day: number): number {
    this.isDated = false;
    if (this.year === null) {
      const end = new Date(this.endMs + dayMs);
      const isLater = Date.UTC(end.getUTCFullYear(), month - 1, day) > end.getTime();
      this.year = end.getUTCFullYear() - (isLater ? 1 : 0);
    } else if (month < this.lastMonth - 6) this.year += 1;
    else if (month > this.lastMonth + 6) this.year -= 1;
    this.lastMonth = month;
    return this.year;
  }
}

function readTimeOfDay([hours = "0", minutes = "0", seconds = "0", fraction = ""]: readonly (string | undefined)[]) {
  const thousandths = fraction === "" ? 0 : Math.floor(Number(`0.${fraction}`) * 1000 + 1e-6);
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + thousandths;
}

/** The offset of `+02:00` in milliseconds; zone names are ignored. */
function readZone(zone: string | undefined): number {
  if (zone === undefined || !/^[+-]/.test(zone)) return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return (zone.startsWith("-") ? -1 : 1) * minutes * 60_000;
}
