import type { LogTemplate, WatchedRate } from "../schemas/parsed-log.ts";
import { compareRates } from "./compare-rates.ts";
import { findChange, type Side } from "./find-change.ts";
import type { RateSeries, RateWatch } from "./rate-watch.ts";

const mostListed = 60;
/** What is seen at least this often can be said to have stopped, after this many of its usual distances. */
const enoughToStop = 10;
const longSilence = 20;

/** The rates that changed, against the reference or else the quiet part of the same log, the clearest first. */
export function listWatched(
  log: RateWatch,
  reference: RateWatch | null,
  templates: readonly LogTemplate[],
): WatchedRate[] {
  const found = log.series.flatMap((series) =>
    reference === null ? compareWithin(series, log) : compareAcross(series, log, reference),
  );
  const gone = reference === null ? [] : listGone(log, reference);
  const stopped = templates.flatMap((template) => findStopped(template, log));
  return [...found, ...gone, ...stopped]
    .filter(({ rate }) => !isMirrored(rate))
    .toSorted((a, b) => b.clarity - a.clarity)
    .slice(0, mostListed)
    .map(({ rate }) => rate);
}

/** Fewer good lines or answers in share is what more bad ones look like from the other side. */
function isMirrored({ kind, name, change }: WatchedRate): boolean {
  return change === "less" && ((kind === "level" && /^(?:TRACE|DEBUG|INFO)$/.test(name)) || name === "2xx");
}

type Found = { rate: WatchedRate; clarity: number };

/** What counts are set against: levels against all lines, statuses and routes against requests, the rest against time. */
function findWhole({ kind, name }: RateSeries, watch: RateWatch): RateSeries | null {
  if (kind === "level") return watch.lines;
  if (kind === "route")
    return (
      watch.series.find((series) => series.kind === "route" && series.name === name.replace(/ [45]xx$/, "")) ?? null
    );
  return kind === "status"
    ? (watch.series.find((series) => series.kind === "status" && series.name === "requests") ?? null)
    : null;
}

const everyStretch = new Uint8Array(256).fill(1);

function compareWithin(series: RateSeries, log: RateWatch): Found[] {
  const whole = findWhole(series, log);
  if (whole === series || log.originMs === null) return [];
  const change = findChange(series.counts, whole?.counts ?? everyStretch, log.length);
  if (change === null) return [];
  const { before, after, clarity } = change;
  const name =
    after.count === 0 ? "stopped" : before.count === 0 ? "started" : rateOf(after) > rateOf(before) ? "more" : "less";
  const at = name === "stopped" ? series.counts.findLastIndex((count) => count > 0) : findFirst(series, change.at);
  const minutes = (stretches: number) => (stretches * log.widthMs) / 60_000;
  const from = log.originMs + change.at * log.widthMs;
  const perMinute = (side: Side, stretches: number) => round(side.count / Math.max(1e-9, minutes(stretches)));
  const rate: WatchedRate = {
    kind: series.kind,
    name: series.name,
    count: after.count,
    share: whole === null ? 1 : share(after),
    rate: perMinute(after, log.length - change.at),
    reference_count: before.count,
    reference_share: whole === null ? 1 : share(before),
    reference_rate: perMinute(before, change.at),
    change: name,
    from,
    file: series.files[at] ?? null,
    line: series.lines[at] || null,
    against: "quiet part",
    description: "",
  };
  return [{ rate: { ...rate, description: describe(rate, whole === null ? null : { before, after }) }, clarity }];
}

function findFirst(series: RateSeries, from: number): number {
  const at = series.counts.findIndex((count, index) => index >= from && count > 0);
  return at < 0 ? from : at;
}

function compareAcross(series: RateSeries, log: RateWatch, reference: RateWatch): Found[] {
  const before = reference.series.find(({ kind, name }) => kind === series.kind && name === series.name);
  const whole = findWhole(series, log);
  if (whole === series) return [];
  const referenceWhole = before === undefined ? null : findWhole(before, reference);
  const isTimed = whole === null && log.minutes > 0 && reference.minutes > 0;
  const events = whole?.total ?? (isTimed ? log.minutes : log.lines.total);
  const referenceEvents = referenceWhole?.total ?? (isTimed ? reference.minutes : reference.lines.total);
  const counts = { count: series.total, events, referenceCount: before?.total ?? 0, referenceEvents };
  const compared = compareRates(counts);
  if (compared === "same" || (compared === "new" && series.total < 3)) return [];
  return [
    buildAcross(series, counts, compared === "new" ? "started" : compared === "vanished" ? "stopped" : compared, log),
  ];
}

type Counts = { count: number; events: number; referenceCount: number; referenceEvents: number };

function buildAcross(series: RateSeries, counts: Counts, change: WatchedRate["change"], log: RateWatch): Found {
  const { count, events, referenceCount, referenceEvents } = counts;
  const first = series.counts.findIndex((value) => value > 0);
  const sides = { before: { count: referenceCount, exposure: referenceEvents }, after: { count, exposure: events } };
  const isShare = series.kind === "level" || series.kind === "status" || series.kind === "route";
  const rate: WatchedRate = {
    kind: series.kind,
    name: series.name,
    count,
    share: isShare ? share(sides.after) : 1,
    rate: isShare ? null : round(count / Math.max(1e-9, events)),
    reference_count: referenceCount,
    reference_share: isShare ? share(sides.before) : 1,
    reference_rate: isShare ? null : round(referenceCount / Math.max(1e-9, referenceEvents)),
    change,
    from: first < 0 || log.originMs === null ? null : log.originMs + first * log.widthMs,
    file: first < 0 ? null : (series.files[first] ?? null),
    line: first < 0 ? null : series.lines[first] || null,
    against: "reference",
    description: "",
  };
  const expected = (referenceCount * events) / Math.max(1, referenceEvents);
  const clarity = Math.abs(count - expected) / Math.sqrt(Math.max(1, expected));
  return { rate: { ...rate, description: describe(rate, isShare ? sides : null) }, clarity };
}

/** What the reference has and the log has not at all. */
function listGone(log: RateWatch, reference: RateWatch): Found[] {
  const events = log.minutes > 0 && reference.minutes > 0 ? log.minutes : log.lines.total;
  const referenceEvents = log.minutes > 0 && reference.minutes > 0 ? reference.minutes : reference.lines.total;
  return reference.series
    .filter(({ kind, name, total }) => {
      const isThere = log.series.some((series) => series.kind === kind && series.name === name);
      return !isThere && kind === "component" && (total * events) / Math.max(1e-9, referenceEvents) >= enoughToStop;
    })
    .map((series) =>
      buildAcross(
        { ...series, counts: new Uint32Array(1), lines: new Uint32Array(1) },
        { count: 0, events, referenceCount: series.total, referenceEvents },
        "stopped",
        log,
      ),
    );
}

/** A template that came regularly and then no more, while the log went on. */
function findStopped(template: LogTemplate, log: RateWatch): Found[] {
  const { first_seen: first, last_seen: last, count, level } = template;
  if (first === null || last === null || log.originMs === null || count < enoughToStop) return [];
  const isTrouble = level === "ERROR" || level === "FATAL" || level === "WARN";
  const silence = log.originMs + log.length * log.widthMs - last;
  const distance = Math.max(1, (last - first) / (count - 1));
  const clarity = silence / distance;
  if (isTrouble || clarity < longSilence || silence < (last - first) / 5) return [];
  const minutes = Math.max(1e-9, (last - first) / 60_000);
  const rate: WatchedRate = {
    kind: "template",
    name: template.id,
    count: 0,
    share: 0,
    rate: 0,
    reference_count: count,
    reference_share: 1,
    reference_rate: round(count / minutes),
    change: "stopped",
    from: last,
    file: template.file,
    line: template.last_line,
    against: "quiet part",
    description: `"${template.template.slice(0, 120)}" came ${round(count / minutes)} times a minute and stopped ${Math.round(silence / 1000)} s before the end`,
  };
  return [{ rate, clarity }];
}

function describe(rate: WatchedRate, of: { before: Side; after: Side } | null): string {
  const name = rate.kind === "lines" ? "all lines" : rate.kind === "component" ? `lines of ${rate.name}` : rate.name;
  if (of !== null) {
    return `${name}: ${printShare(of.after)}, ${printShare(of.before)} before`;
  }
  return `${name}: ${rate.rate ?? 0} a minute, ${rate.reference_rate ?? 0} before`;
}

function printShare(side: Side): string {
  return `${side.count} of ${side.exposure} (${(100 * share(side)).toFixed(1)}%)`;
}

function share({ count, exposure }: Side): number {
  return exposure === 0 ? 0 : Math.min(1, count / exposure);
}

function rateOf({ count, exposure }: Side): number {
  return exposure === 0 ? 0 : count / exposure;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
