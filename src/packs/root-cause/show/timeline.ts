import type { Section } from "../../../contract/view.ts";
import type { LogEvent, LogTemplate, ParsedLog } from "../../../knowledge/logs/index.ts";
import { sparkline } from "../../../text/sparkline.ts";
import { locateRef } from "../rules/cite-line.ts";
import { completeLog } from "../roles/complete-log.ts";

const buckets = 32;
const mostLanes = 6;
type Lane = { name: string; counts: number[]; total: number; first: number; last: number };

/**
 * The errors by component over the time of the log, those that began first on top: a line of its own has the stretch in
 * which errors came, and below a lane stand the lines of it that were quoted (root-cause spec §6).
 */
export function writeTimeline(given: ParsedLog, quoted: readonly (number | string)[]): Section {
  const log = completeLog(given);
  const { first_timestamp: first, last_timestamp: last } = log.totals;
  const rows =
    first === null || last === null || last <= first ? [] : drawLanes(log, { start: first, end: last, quoted });
  return { kind: "facts", title: "Errors over time", rows };
}

/** The same as a picture: the stretch in which errors came is shaded, and quoted lines are ticks in the lane they are from. */
export function chartTimeline(given: ParsedLog, quoted: readonly (number | string)[]): Section {
  const log = completeLog(given);
  const { first_timestamp: start, last_timestamp: end } = log.totals;
  const title = "Errors over time";
  if (start === null || end === null || end <= start) return { kind: "text", title, text: "" };
  const lanes = listLanes(log, start, end);
  return {
    kind: "chart",
    title,
    lead: true,
    note: "Darker is more; the shaded stretch is where errors came, and ticks are lines that were quoted.",
    chart: {
      type: "timeline",
      start,
      end,
      window: findWindow(log),
      lanes: lanes.map(({ name, counts, total }) => ({ name, counts, total, marks: markQuotes(log, name, quoted) })),
    },
  };
}

/** The stretch of the log in which errors came. */
function findWindow({ templates }: ParsedLog): { start: number; end: number } | null {
  const errors = templates.filter(({ level }) => level === "ERROR" || level === "FATAL");
  const seen = errors.flatMap(({ first_seen, last_seen }) => [first_seen ?? [], last_seen ?? []].flat());
  return seen.length === 0 ? null : { start: Math.min(...seen), end: Math.max(...seen) };
}

function markQuotes(log: ParsedLog, lane: string, quoted: readonly (number | string)[]) {
  return listQuoted(log, lane, quoted).flatMap(({ timestamp, line, message }) =>
    timestamp === null ? [] : [{ at: timestamp, label: `line ${line}: ${message.slice(0, 160)}` }],
  );
}

/** The events of a lane that hold a quoted line. */
function listQuoted(log: ParsedLog, lane: string, quoted: readonly (number | string)[]): LogEvent[] {
  const places = quoted.map((ref) => locateRef(log, ref));
  return log.events.filter(
    (event) =>
      nameLane(event, log) === lane &&
      places.some(
        ({ file, line }) => file === event.file && line >= event.line && line <= (event.last_line ?? event.line),
      ),
  );
}

/** The component; where lines name none, their file, if there are several. */
function nameLane({ component, file }: Pick<LogEvent, "component" | "file">, { sources }: ParsedLog): string {
  if (component !== null) return component;
  return file === null || sources.length < 2 ? "(no component)" : file.replace(/^.*[\\/]/, "");
}

/** The parts of the system with the most trouble, those that began first on top. */
function listLanes(log: ParsedLog, start: number, end: number): Lane[] {
  const severe = log.templates.filter(({ level }) => level === "ERROR" || level === "FATAL" || level === "WARN");
  const byPlace = Map.groupBy(severe, (template) => nameLane(template, log));
  const lanes = [...byPlace].flatMap(([name, own]) => buildLane(name, own, start, end));
  const shown = lanes.toSorted((a, b) => b.total - a.total).slice(0, mostLanes);
  return shown.toSorted((a, b) => a.first - b.first);
}

type Scene = { start: number; end: number; quoted: readonly (number | string)[] };

function drawLanes(log: ParsedLog, { start, end, quoted }: Scene): { label: string; value: string }[] {
  const placeOf = (ms: number) => placeIn(ms, start, end);
  const lanes = listLanes(log, start, end).flatMap(({ name, counts, total, first, last }) => [
    {
      label: name,
      value: `${sparkline(counts, Math.max(...counts))} ${total} from ${printTime(first)} to ${printTime(last)}`,
    },
    ...drawQuotes(listQuoted(log, name, quoted), placeOf),
  ]);
  const window = findWindow(log);
  return lanes.length > 0 && window ? [drawWindow(window, placeOf), ...lanes] : lanes;
}

function drawWindow({ start, end }: { start: number; end: number }, placeOf: (ms: number) => number) {
  const [from, to] = [placeOf(start), placeOf(end)];
  const mark = (at: number): string => {
    if (at < from || at > to) return "·";
    if (from === to) return "┼";
    return at === from ? "├" : at === to ? "┤" : "─";
  };
  const line = Array.from({ length: buckets }, (_, at) => mark(at));
  return { label: "errors came", value: `${line.join("")} ${printTime(start)} to ${printTime(end)}` };
}

/** Marks below a lane where the quoted lines are, and which they are. */
function drawQuotes(events: readonly LogEvent[], placeOf: (ms: number) => number) {
  const timed = events.filter(({ timestamp }) => timestamp !== null);
  if (timed.length === 0) return [];
  const marked = new Set(timed.map(({ timestamp }) => placeOf(timestamp ?? 0)));
  const line = Array.from({ length: buckets }, (_, at) => (marked.has(at) ? "▲" : "·")).join("");
  const lines = timed.map((event) => event.line);
  const more = lines.length > mostNamed ? ` and ${lines.length - mostNamed} more` : "";
  return [
    {
      label: "",
      value: `${line} quoted: ${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, mostNamed).join(", ")}${more}`,
    },
  ];
}

const mostNamed = 4;

function placeIn(ms: number, start: number, end: number): number {
  return Math.max(0, Math.min(buckets - 1, Math.floor(((ms - start) / (end - start)) * buckets)));
}

/** A template is spread evenly over the time in which it was seen: the log keeps its first and last, and how many. */
function buildLane(name: string, templates: LogTemplate[], start: number, end: number): Lane[] {
  const counts = Array.from({ length: buckets }, () => 0);
  let [first, last, total] = [Number.POSITIVE_INFINITY, 0, 0];
  for (const { first_seen, last_seen, count } of templates) {
    if (first_seen === null || last_seen === null) continue;
    const [from, to] = [placeIn(first_seen, start, end), placeIn(last_seen, start, end)];
    for (let at = from; at <= to; at += 1) counts[at] = (counts[at] ?? 0) + count / (to - from + 1);
    first = Math.min(first, first_seen);
    last = Math.max(last, last_seen);
    total += count;
  }
  return total === 0 ? [] : [{ name, counts, total, first, last }];
}

function printTime(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
