/** Turns days into epoch milliseconds for the lines of one source; `endMs` is when the source was last written. */
export class Calendar {
  private readonly endMs: number;
  private year: number | null = null;
  private lastMonth = 0;
  /** The day asked for last: neighbouring lines share it. */
  private readonly day = { year: 0, month: 0, day: 0, startMs: 0 };

  constructor(endMs: number) {
    this.endMs = endMs;
  }

  /** The year that keeps the months of a log without years in order; January is month 1. */
  findYear(month: number, day: number): number {
    if (this.year === null) {
      const end = new Date(this.endMs);
      const endMonth = end.getUTCMonth() + 1;
      const isLater = month > endMonth || (month === endMonth && day > end.getUTCDate() + 1);
      this.year = end.getUTCFullYear() - (isLater ? 1 : 0);
    } else if (month < this.lastMonth - 6) this.year += 1;
    else if (month > this.lastMonth + 6) this.year -= 1;
    this.lastMonth = month;
    return this.year;
  }

  /** Midnight (UTC) of a day; NaN when there is no such month or day. */
  startOfDay(year: number, month: number, day: number): number {
    const last = this.day;
    if (year === last.year && month === last.month && day === last.day) return last.startMs;
    const isDay = month >= 1 && month <= 12 && day >= 1 && day <= 31;
    last.year = year;
    last.month = month;
    last.day = day;
    last.startMs = isDay ? Date.UTC(year, month - 1, day) : Number.NaN;
    return last.startMs;
  }

  /** Midnight of a day whose year the log does not give. */
  startOfYearlessDay(month: number, day: number): number {
    return this.startOfDay(this.findYear(month, day), month, day);
  }
}
