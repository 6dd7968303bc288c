import type { TimelineEntry } from "../../../contract/parsed-log.ts";
import type { Place } from "../event/event.ts";
import type { LogDigest } from "./log-digest.ts";
import { isBad } from "./shape-facts.ts";

type TimeBucket = { start: number; events: number; errors: number; first: At; firstError: At | null };
type At = Pick<Place, "line" | "file" | "shape">;

const maxBuckets = 4096;

/** Counts events and errors over time in at most 4096 buckets, doubling their width when needed. */
export class TimeBuckets {
  widthMs = 1000;
  private buckets = new Map<number, TimeBucket>();

  add(timestamp: number, { line, file, shape, isError }: Place): void {
    const bucket = this.findBucket(timestamp, { line, file, shape });
    bucket.events += 1;
    if (!isError) return;
    bucket.errors += 1;
    bucket.firstError ??= { line, file, shape };
  }

  private findBucket(timestamp: number, first: At): TimeBucket {
    const index = Math.floor(timestamp / this.widthMs);
    const known = this.buckets.get(index);
    if (known !== undefined) return known;
    if (this.buckets.size >= maxBuckets) {
      this.widthMs *= 2;
      const wider = joinBuckets(this.listInOrder(), this.widthMs);
      this.buckets = new Map(wider.map((bucket) => [Math.floor(bucket.start / this.widthMs), bucket]));
      return this.findBucket(timestamp, first);
    }
    const bucket = { start: index * this.widthMs, events: 0, errors: 0, first, firstError: null };
    this.buckets.set(index, bucket);
    return bucket;
  }

  listInOrder(): TimeBucket[] {
    return [...this.buckets.values()].sort((a, b) => a.start - b.start);
  }
}

function joinBuckets(buckets: readonly TimeBucket[], widthMs: number): TimeBucket[] {
  const wider: TimeBucket[] = [];
  for (const bucket of buckets) {
    const start = Math.floor(bucket.start / widthMs) * widthMs;
    const last = wider.at(-1);
    if (last?.start !== start) wider.push({ ...bucket, start });
    else {
      last.events += bucket.events;
      last.errors += bucket.errors;
      last.firstError ??= bucket.firstError;
    }
  }
  return wider;
}

const maxOfKind = 5;

export type TemplateNames = { idOf(shape: number): string; textOf(shape: number): string };

/** The timeline: start and end, first error, first of each bad level, bursts and gaps (root-cause spec §2.5). */
export function buildTimeline(digest: LogDigest, names: TemplateNames): TimelineEntry[] {
  const buckets = digest.buckets.listInOrder();
  const entries = [
    ...listEnds(digest),
    ...listFirsts(digest, names),
    ...findBursts(buckets, digest.buckets.widthMs, names),
    ...findGaps(buckets, digest),
  ];
  return entries.sort((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0) || a.line - b.line);
}

function makeEntry(
  fields: Pick<TimelineEntry, "kind" | "line" | "timestamp" | "description"> & Partial<TimelineEntry>,
) {
  return { file: null, template_id: null, count: null, duration_ms: null, ...fields };
}

function listEnds({ firstTimestamp, lastTimestamp, firstAt, lastAt, events }: LogDigest): TimelineEntry[] {
  if (firstTimestamp === null || lastTimestamp === null) return [];
  const seconds = Math.round((lastTimestamp - firstTimestamp) / 1000);
  return [
    makeEntry({ kind: "start", ...firstAt, timestamp: firstTimestamp, description: "first event" }),
    makeEntry({
      kind: "end",
      ...lastAt,
      timestamp: lastTimestamp,
      description: `last event, ${seconds} s and ${events} events later`,
      count: events,
      duration_ms: lastTimestamp - firstTimestamp,
    }),
  ];
}

function listFirsts({ scene: { first }, firstOfLevel }: LogDigest, names: TemplateNames): TimelineEntry[] {
  const levels = [...firstOfLevel].filter(
    ([level, { order }]) => (level === "WARN" || isBad(level)) && order !== first?.order,
  );
  const marked = [
    ...(first ? [{ event: first, kind: "first_error" as const, what: "first error" }] : []),
    ...levels.map(([level, event]) => ({ event, kind: "level_change" as const, what: `first ${level}` })),
  ];
  return marked.map(({ event, kind, what }) =>
    makeEntry({
      kind,
      line: event.line,
      file: event.file,
      timestamp: event.timestamp,
      description: `${what}: ${event.message.slice(0, 200)}`,
      template_id: names.idOf(event.shape),
    }),
  );
}

function findBursts(all: readonly TimeBucket[], widthMs: number, names: TemplateNames): TimelineEntry[] {
  const span = (all.at(-1)?.start ?? 0) - (all[0]?.start ?? 0);
  const hasErrors = all.some(({ errors }) => errors > 0);
  const size = (bucket: TimeBucket) => (hasErrors ? bucket.errors : bucket.events);
  for (const parts of [240, 60, 20]) {
    const width = widthMs * Math.max(1, Math.ceil(span / widthMs / parts));
    const buckets = joinBuckets(all, width);
    if (buckets.length < 3) continue;
    const limit = findBurstLimit(buckets.map(size), Math.max(buckets.length, span / width + 1));
    const bursts: TimeBucket[][] = [];
    for (const bucket of buckets.filter((one) => size(one) >= limit)) {
      const open = bursts.at(-1);
      if (open && bucket.start - (open.at(-1)?.start ?? 0) <= width) open.push(bucket);
      else bursts.push([bucket]);
    }
    if (bursts.length > 0)
      return bursts
        .map((burst) => ({ burst, total: burst.reduce((sum, bucket) => sum + size(bucket), 0) }))
        .toSorted((a, b) => b.total - a.total)
        .slice(0, maxOfKind)
        .flatMap(({ burst, total }) => describeBurst(burst, total, width, names));
  }
  return [];
}

function findBurstLimit(sizes: readonly number[], span: number): number {
  const mean = sizes.reduce((sum, size) => sum + size, 0) / span;
  const squares = sizes.reduce((sum, size) => sum + size * size, 0) / span;
  return Math.max(5, mean + 3 * Math.sqrt(Math.max(0, squares - mean * mean)));
}

function describeBurst(burst: readonly TimeBucket[], total: number, widthMs: number, names: TemplateNames) {
  const [first] = burst;
  if (first === undefined) return [];
  const { firstError } = first;
  const duration = (burst.at(-1)?.start ?? first.start) - first.start + widthMs;
  const what = firstError === null ? "events" : "errors";
  const led = firstError === null ? "" : `, the first: ${names.textOf(firstError.shape).slice(0, 140)}`;
  const { line, file } = firstError ?? first.first;
  return [
    makeEntry({
      kind: "burst",
      line,
      file,
      timestamp: first.start,
      description: `${total} ${what} within ${duration / 1000} s${led}`,
      template_id: firstError && names.idOf(firstError.shape),
      count: total,
      duration_ms: duration,
    }),
  ];
}

function findGaps(buckets: readonly TimeBucket[], { firstTimestamp, lastTimestamp, events }: LogDigest) {
  const usual = events > 1 ? ((lastTimestamp ?? 0) - (firstTimestamp ?? 0)) / events : 0;
  const gaps = buckets.slice(1).map((bucket, index) => ({ bucket, ms: bucket.start - (buckets[index]?.start ?? 0) }));
  return gaps
    .filter(({ ms }) => ms >= Math.max(10_000, 20 * usual))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, maxOfKind)
    .map(({ bucket: { start, first }, ms }) => {
      const description = `no events for ${Math.round(ms / 1000)} s before this line`;
      const where = { line: first.line, file: first.file };
      return makeEntry({ kind: "gap", ...where, timestamp: start, description, duration_ms: ms });
    });
}
