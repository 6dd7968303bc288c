import type { TimelineEntry } from "../../../contract/parsed-log.ts";
import type { KeptEvent } from "../events/kept-event.ts";
import type { LogDigest } from "./log-digest.ts";
import { isBad } from "./shape-facts.ts";
import { joinBuckets, type TimeBucket } from "../clocks/time-buckets.ts";

const maxOfKind = 5;

/** What the timeline needs to know of templates. */
export type TemplateNames = { idOf(shape: number): string; textOf(shape: number): string };

/** Tells what happened when: start and end, first error, first of each bad level, bursts, gaps, clocks going back (root-cause spec §2.5). */
export function buildTimeline(digest: LogDigest, names: TemplateNames): TimelineEntry[] {
  const entries = [
    ...listEnds(digest),
    ...listFirsts(digest, names),
    ...findBursts(digest.buckets.listInOrder(), digest.buckets.widthMs, names),
    ...listGaps(digest),
    ...listBackwards(digest),
  ];
  return entries.sort((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0) || a.line - b.line);
}

function makeEntry(
  fields: Omit<TimelineEntry, "template_id" | "count" | "duration_ms"> & Partial<TimelineEntry>,
): TimelineEntry {
  return { template_id: null, count: null, duration_ms: null, ...fields };
}

/** Where the log begins and ends by its clock. */
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

function listFirsts(digest: LogDigest, names: TemplateNames): TimelineEntry[] {
  const at = (event: KeptEvent, kind: TimelineEntry["kind"], description: string) =>
    makeEntry({
      kind,
      line: event.line,
      file: event.file,
      timestamp: event.timestamp,
      description,
      template_id: names.idOf(event.shape),
    });
  const entries: TimelineEntry[] = [];
  const { first } = digest.scene;
  if (first) entries.push(at(first, "first_error", `first error: ${first.message.slice(0, 200)}`));
  for (const [level, event] of digest.firstOfLevel) {
    if ((level === "WARN" || isBad(level)) && event.order !== first?.order) {
      entries.push(at(event, "level_change", `first ${level}: ${event.message.slice(0, 160)}`));
    }
  }
  return entries;
}

/** Looks for bursts in a two hundred and fortieth of the log's time, then in longer stretches if there is none. */
function findBursts(buckets: readonly TimeBucket[], widthMs: number, names: TemplateNames): TimelineEntry[] {
  const span = (buckets.at(-1)?.start ?? 0) - (buckets[0]?.start ?? 0);
  for (const parts of [240, 60, 20]) {
    const width = widthMs * Math.max(1, Math.ceil(span / widthMs / parts));
    const bursts = findBurstsOfWidth(joinBuckets(buckets, width), width, names);
    if (bursts.length > 0) return bursts;
  }
  return [];
}

/** Bursts are stretches with far more errors than usual (or events, in a log without errors). */
function findBurstsOfWidth(buckets: readonly TimeBucket[], widthMs: number, names: TemplateNames): TimelineEntry[] {
  if (buckets.length < 3) return [];
  const hasErrors = buckets.some(({ errors }) => errors > 0);
  const size = (bucket: TimeBucket) => (hasErrors ? bucket.errors : bucket.events);
  const limit = computeBurstLimit(buckets.map(size), buckets, widthMs);
  const bursts: { buckets: TimeBucket[]; size: number }[] = [];
  let open: (typeof bursts)[number] | null = null;
  for (const bucket of buckets) {
    if (size(bucket) < limit) {
      open = null;
      continue;
    }
    const last = open?.buckets.at(-1);
    if (open === null || last === undefined || bucket.start - last.start > 2 * widthMs) {
      open = { buckets: [], size: 0 };
      bursts.push(open);
    }
    open.buckets.push(bucket);
    open.size += size(bucket);
  }
  return bursts
    .toSorted((a, b) => b.size - a.size)
    .slice(0, maxOfKind)
    .map((burst) => describeBurst(burst, widthMs, hasErrors, names));
}

/** Mean and three deviations over the whole span, silent stretches included; at least five. */
function computeBurstLimit(sizes: readonly number[], buckets: readonly TimeBucket[], widthMs: number): number {
  const span = Math.max(buckets.length, ((buckets.at(-1)?.start ?? 0) - (buckets[0]?.start ?? 0)) / widthMs + 1);
  const mean = sizes.reduce((sum, size) => sum + size, 0) / span;
  const squares = sizes.reduce((sum, size) => sum + size * size, 0) / span;
  return Math.max(5, mean + 3 * Math.sqrt(Math.max(0, squares - mean * mean)));
}

function describeBurst(
  burst: { buckets: TimeBucket[]; size: number },
  widthMs: number,
  hasErrors: boolean,
  names: TemplateNames,
): TimelineEntry {
  const first = burst.buckets[0] as TimeBucket;
  const last = burst.buckets.at(-1) as TimeBucket;
  const peak = burst.buckets.reduce((a, b) => (b.errors > a.errors ? b : a));
  const duration = last.start - first.start + widthMs;
  const what = hasErrors ? "errors" : "events";
  const mostly = hasErrors && peak.errorShape >= 0 ? `, mostly: ${names.textOf(peak.errorShape).slice(0, 140)}` : "";
  return makeEntry({
    kind: "burst",
    line: hasErrors ? first.firstErrorLine : first.firstLine,
    file: first.file,
    timestamp: first.start,
    description: `${burst.size} ${what} within ${duration / 1000} s${mostly}`,
    template_id: peak.errorShape >= 0 ? names.idOf(peak.errorShape) : null,
    count: burst.size,
    duration_ms: duration,
  });
}

/** Silences that stand out: at least ten seconds, and twenty times the usual distance of events. */
function listGaps(digest: LogDigest): TimelineEntry[] {
  const span = (digest.lastTimestamp ?? 0) - (digest.firstTimestamp ?? 0);
  const usual = digest.events > 1 ? span / digest.events : 0;
  const limit = Math.max(10_000, 20 * usual);
  return digest.clocks.gaps
    .filter(({ deltaMs }) => deltaMs >= limit)
    .slice(0, maxOfKind)
    .map(({ line, file, timestamp, deltaMs }) => {
      const description = `no events for ${Math.round(deltaMs / 1000)} s before this line`;
      return makeEntry({ kind: "gap", line, file, timestamp, description, duration_ms: deltaMs });
    });
}

function listBackwards(digest: LogDigest): TimelineEntry[] {
  const { backwards, backwardCount } = digest.clocks;
  return backwards.slice(0, maxOfKind).map(({ line, file, timestamp, deltaMs }, index) => {
    const more = index === 0 && backwardCount > 1 ? ` (${backwardCount} times in all)` : "";
    const description = `the clock went back by ${Math.round(-deltaMs / 1000)} s${more}`;
    return makeEntry({ kind: "clock_backwards", line, file, timestamp, description, duration_ms: deltaMs });
  });
}
