import type { Section } from "../../../contract/view.ts";
import type { LogTemplate, ParsedLog } from "../../../knowledge/logs/index.ts";
import { sparkline } from "../../../text/sparkline.ts";
import { completeLog } from "../roles/complete-log.ts";

const buckets = 32;
const mostLanes = 6;
type Lane = { name: string; counts: number[]; total: number; first: number; last: number };

/** The errors by component over the time of the log, those that began first on top (root-cause spec §6). */
export function writeTimeline(given: ParsedLog): Section {
  const log = completeLog(given);
  const { first_timestamp: first, last_timestamp: last } = log.totals;
  const rows = first === null || last === null || last <= first ? [] : drawLanes(log, first, last);
  return { kind: "facts", title: "Errors over time", rows };
}

/** The same as a picture: the stretch in which errors came is shaded, and quoted lines are ticks in the lane they are from. */
export function chartTimeline(given: ParsedLog, quoted: readonly (number | string)[]): Section {
  const log = completeLog(given);
  const { first_timestamp: start, last_timestamp: end } = log.totals;
  const title = "Errors over time";
  if (start === null || end === null || end <= start) return { kind: "text", title, text: "" };
  const lanes = listLanes(log, start, end);
  const errors = log.templates.filter(({ level }) => level === "ERROR" || level === "FATAL");
  const seen = errors.flatMap(({ first_seen, last_seen }) => [first_seen ?? [], last_seen ?? []].flat());
  const window = seen.length === 0 ? null : { start: Math.min(...seen), end: Math.max(...seen) };
  return {
    kind: "chart",
    title,
    lead: true,
    note: "Darker is more; the shaded stretch is where errors came, and ticks are lines that were quoted.",
    chart: {
      type: "timeline",
      start,
      end,
      window,
      lanes: lanes.map(({ name, counts, total }) => ({ name, counts, total, marks: markQuotes(log, name, quoted) })),
    },
  };
}

function markQuotes({ events }: ParsedLog, lane: string, quoted: readonly (number | string)[]) {
  const lines = new Set(quoted.map((ref) => Number(String(ref).split(":").at(-1))));
  return events
    .filter(({ line, last_line, component }) => (component ?? noComponent) === lane && hasLine(lines, line, last_line))
    .flatMap(({ timestamp, line, message }) =>
      timestamp === null ? [] : [{ at: timestamp, label: `line ${line}: ${message.slice(0, 160)}` }],
    );
}

function hasLine(lines: ReadonlySet<number>, first: number, last = first): boolean {
  return [...lines].some((line) => line >= first && line <= last);
}

const noComponent = "(no component)";

/** The parts of the system with the most trouble, those that began first on top. */
function listLanes({ templates }: ParsedLog, start: number, end: number): Lane[] {
  const severe = templates.filter(({ level }) => level === "ERROR" || level === "FATAL" || level === "WARN");
  const byPlace = Map.groupBy(severe, ({ component }) => component ?? noComponent);
  const lanes = [...byPlace].flatMap(([name, own]) => buildLane(name, own, start, end));
  const shown = lanes.toSorted((a, b) => b.total - a.total).slice(0, mostLanes);
  return shown.toSorted((a, b) => a.first - b.first);
}

function drawLanes(log: ParsedLog, start: number, end: number): { label: string; value: string }[] {
  return listLanes(log, start, end).map(({ name, counts, total, first, last }) => ({
    label: name,
    value: `${sparkline(counts, Math.max(...counts))} ${total} from ${printTime(first)} to ${printTime(last)}`,
  }));
}

/** A template is spread evenly over the time in which it was seen: the log keeps its first and last, and how many. */
function buildLane(name: string, templates: LogTemplate[], start: number, end: number): Lane[] {
  const counts = Array.from({ length: buckets }, () => 0);
  const bucketOf = (ms: number) => Math.min(buckets - 1, Math.floor(((ms - start) / (end - start)) * buckets));
  let [first, last, total] = [Number.POSITIVE_INFINITY, 0, 0];
  for (const { first_seen, last_seen, count } of templates) {
    if (first_seen === null || last_seen === null) continue;
    const [from, to] = [Math.max(0, bucketOf(first_seen)), Math.max(0, bucketOf(last_seen))];
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
