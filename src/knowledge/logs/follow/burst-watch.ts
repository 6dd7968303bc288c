/** What makes a burst of errors, and when it is over. */
export type BurstSettings = { windowMs: number; leastErrors: number; timesUsual: number; quietMs: number };

export const burstSettings: BurstSettings = { windowMs: 60_000, leastErrors: 5, timesUsual: 4, quietMs: 120_000 };

/**
 * Says when errors burst, once per incident: at least five within a minute, and four times as many as usual. The incident is over
 * when no error came for two minutes, or when as many as now have become usual.
 */
export class BurstWatch {
  private readonly settings: BurstSettings;
  private readonly errors: number[] = [];
  private usual = 0;
  private lastMinute: number | null = null;
  private inIncident = false;
  private lastError = Number.NEGATIVE_INFINITY;

  constructor(settings: BurstSettings = burstSettings) {
    this.settings = settings;
  }

  /** Takes one event in the order of time; true when an incident begins with it. */
  add(timeMs: number, isError: boolean): boolean {
    const { windowMs, leastErrors, timesUsual, quietMs } = this.settings;
    this.forget(timeMs - windowMs);
    this.learnUsual(timeMs);
    if (this.inIncident && timeMs - this.lastError > quietMs) this.inIncident = false;
    if (!isError) return false;
    this.lastError = timeMs;
    this.errors.push(timeMs);
    if (this.errors.length > 10_000) this.errors.shift();
    if (this.inIncident || this.errors.length < Math.max(leastErrors, timesUsual * this.usual)) return false;
    this.inIncident = true;
    return true;
  }

  get isOngoing(): boolean {
    return this.inIncident;
  }

  private forget(before: number): void {
    while (this.errors.length > 0 && (this.errors[0] ?? 0) < before) this.errors.shift();
  }

  /** Errors of a window, as they are on average outside of incidents. */
  private learnUsual(timeMs: number): void {
    this.lastMinute ??= timeMs;
    if (timeMs - this.lastMinute < this.settings.windowMs) return;
    this.lastMinute = timeMs;
    if (!this.inIncident) this.usual = 0.8 * this.usual + 0.2 * this.errors.length;
  }
}
