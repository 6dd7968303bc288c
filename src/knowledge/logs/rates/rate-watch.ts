import type { watchedKinds } from "../schemas/parsed-log.ts";

export type WatchedKind = (typeof watchedKinds)[number];
type Place = { line: number; file: string | null };

/** How often one watched thing occurred, in each stretch of time; `lines` has a line of each stretch (0 for none). */
export type RateSeries = {
  kind: WatchedKind;
  name: string;
  total: number;
  counts: Uint32Array;
  lines: Uint32Array;
  files: (string | null)[];
};

const stretches = 256;
const firstWidthMs = 1000;
/** Things of one kind that are watched; later ones are not. */
const maxNames = 200;
/** A time this far from the others is a wrong clock, and does not stretch the axis. */
const farthestMs = 400 * 86_400_000;

/** Counts watched things over time, all on one axis of at most 256 stretches, whose width doubles when there are more. */
export class RateWatch {
  widthMs = firstWidthMs;
  originMs: number | null = null;
  readonly series: RateSeries[] = [];
  /** Everything, to set the others against. */
  readonly lines = this.create("lines", "all lines");
  private lastIndex = 0;
  private index = -1;
  private readonly byKind = new Map<WatchedKind, Map<string, RateSeries>>();

  /** The series of a thing, null when too many of its kind are watched already. */
  find(kind: WatchedKind, name: string): RateSeries | null {
    const named = this.byKind.get(kind);
    const known = named?.get(name);
    if (known !== undefined) return known;
    if (named !== undefined && named.size >= maxNames) return null;
    const created = this.create(kind, name);
    if (named === undefined) this.byKind.set(kind, new Map([[name, created]]));
    else named.set(name, created);
    return created;
  }

  /** Goes to the time of the next event, whose parts are then counted. */
  moveTo(timestamp: number | null): void {
    this.index = timestamp === null ? -1 : this.place(timestamp);
  }

  /** Counts one occurrence at the current time; without a time only the total grows. */
  count(series: RateSeries, at: Place): void {
    series.total += 1;
    const { index } = this;
    if (index < 0) return;
    const before = series.counts[index] ?? 0;
    series.counts[index] = before + 1;
    if (before > 0) return;
    series.lines[index] = at.line;
    series.files[index] = at.file;
  }

  /** How many stretches the log covers. */
  get length(): number {
    return this.originMs === null ? 0 : this.lastIndex + 1;
  }

  get minutes(): number {
    return (this.length * this.widthMs) / 60_000;
  }

  private place(timestamp: number): number {
    this.originMs ??= Math.floor(timestamp / firstWidthMs) * firstWidthMs;
    let index = Math.floor((timestamp - this.originMs) / this.widthMs);
    if (index < 0 || index >= stretches) {
      if (Math.abs(timestamp - this.originMs) > farthestMs) return -1;
      this.stretch(timestamp, this.originMs);
      index = Math.floor((timestamp - this.originMs) / this.widthMs);
    }
    if (index > this.lastIndex) this.lastIndex = index;
    return index;
  }

  /** Moves the start and doubles the width until the time has a place, and moves all counts along. */
  private stretch(timestamp: number, origin: number): void {
    const [oldOrigin, oldWidth] = [origin, this.widthMs];
    const end = Math.max(timestamp, oldOrigin + (this.lastIndex + 1) * oldWidth - 1);
    const first = Math.min(timestamp, oldOrigin);
    let start = first;
    do {
      start = Math.floor(first / this.widthMs) * this.widthMs;
      if (end - start < stretches * this.widthMs) break;
      this.widthMs *= 2;
    } while (this.widthMs < farthestMs);
    this.originMs = start;
    const move = (index: number) => Math.floor((oldOrigin + index * oldWidth - start) / this.widthMs);
    for (const series of this.series) moveCounts(series, move, this.lastIndex);
    this.lastIndex = Math.min(stretches - 1, move(this.lastIndex));
  }

  private create(kind: WatchedKind, name: string): RateSeries {
    const created = {
      kind,
      name,
      total: 0,
      counts: new Uint32Array(stretches),
      lines: new Uint32Array(stretches),
      files: Array.from({ length: stretches }, (): string | null => null),
    };
    this.series.push(created);
    return created;
  }
}

function moveCounts(series: RateSeries, move: (index: number) => number, last: number): void {
  const [counts, lines] = [series.counts.slice(), series.lines.slice()];
  const files = [...series.files];
  series.counts.fill(0);
  series.lines.fill(0);
  series.files.fill(null);
  for (let index = 0; index <= last; index += 1) {
    const count = counts[index] ?? 0;
    if (count === 0) continue;
    const to = Math.min(stretches - 1, move(index));
    if (series.counts[to] === 0) {
      series.lines[to] = lines[index] ?? 0;
      series.files[to] = files[index] ?? null;
    }
    series.counts[to] = (series.counts[to] ?? 0) + count;
  }
}
