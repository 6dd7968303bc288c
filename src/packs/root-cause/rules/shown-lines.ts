import { analyse } from "../../../knowledge/incidents/index.ts";
import { levels, type LogEvent, type ParsedLog } from "../../../knowledge/logs/index.ts";
import { citeLine } from "./cite-line.ts";

/** What of a log a prompt shows, in the order of the log, and the references of its lines: this list and no other can be cited. */
export type ShownLines = { events: LogEvent[]; refs: ReadonlySet<string> };

const known = new WeakMap<ParsedLog["events"], Map<number, ShownLines>>();
const charsPerToken = 4;
const perLine = 4;

/** The events most worth reading that fit the budget; what the log's own signs rest on goes first (root-cause spec §4.1). */
export function chooseShown(log: ParsedLog, tokens: number): ShownLines {
  const byTokens = known.get(log.events) ?? new Map<number, ShownLines>();
  known.set(log.events, byTokens);
  const shown = byTokens.get(tokens) ?? choose(log, tokens);
  byTokens.set(tokens, shown);
  return shown;
}

function choose(log: ParsedLog, tokens: number): ShownLines {
  const telling = rateLines(log);
  const rate = (event: LogEvent) => (telling.get(keyOf(event)) ?? 0) + weighEvent(event);
  const ranked = log.events.toSorted((a, b) => rate(b) - rate(a) || a.line - b.line);
  const chosen = new Set<LogEvent>();
  let left = tokens;
  for (const event of ranked) {
    const cost = Math.ceil(Buffer.byteLength(event.raw) / charsPerToken) + perLine;
    if (cost > left) continue;
    left -= cost;
    chosen.add(event);
  }
  const events = log.events.filter((event) => chosen.has(event));
  const refs = events.flatMap(({ raw, line, file }) =>
    raw.split("\n").map((_, offset) => String(citeLine(log, line + offset, file))),
  );
  return { events, refs: new Set(refs) };
}

const tellingWeight = 20;

/** How much the strongest finding says that an event is quoted for. */
function rateLines(log: ParsedLog): Map<string, number> {
  const rates = new Map<string, number>();
  const holders = new Map<string, LogEvent>();
  for (const event of log.events)
    for (let line = event.line; line <= (event.last_line ?? event.line); line += 1)
      holders.set(keyOf({ file: event.file, line }), event);
  for (const { lines, strength } of analyse(log).findings)
    for (const line of lines) {
      const holder = holders.get(keyOf(line));
      const key = keyOf(holder ?? line);
      rates.set(key, Math.max(rates.get(key) ?? 0, tellingWeight * strength));
    }
  return rates;
}

function keyOf({ file, line }: { file: string | null; line: number }): string {
  return `${file} ${line}`;
}

function weighEvent({ level, why }: LogEvent): number {
  return (level === null ? 1 : levels.indexOf(level)) + why.length;
}
