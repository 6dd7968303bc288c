import type { LogEvent, ParsedLog } from "../../logs/index.ts";
import type { Places } from "./create-places.ts";
import type { CitedLine, Finding } from "./finding.ts";
import { matchSigns, readSigns } from "./match-signs.ts";
import { findTellingLine, rateTelling } from "../compare/telling-line.ts";

const longestWords = 200;

/** Puts findings into the log's own words: what the most telling of their lines says, and who says it. */
export function createWording(log: ParsedLog, places: Places): (finding: Finding) => Finding {
  const texts = new Map(log.templates.map(({ id, template }) => [id, template.trim()]));
  const events = Map.groupBy(log.events, ({ file, line }) => `${file} ${line}`);
  const sorted = log.events.toSorted((a, b) => a.line - b.line);
  return (finding) => {
    const said = finding.lines.flatMap((line) => readLine(line, finding, events, sorted));
    const [best] = said.toSorted((a, b) => b.rate - a.rate);
    const speaker = best && (places.event(best.event) ?? places.host(best.event));
    return {
      ...finding,
      texts: finding.templates.slice(0, 5).flatMap((id) => texts.get(id) ?? []),
      ...(best && finding.sign !== "broken_flow" && { words: shortenWords(best.text, findSign(finding.sign)) }),
      ...(speaker && { speaker }),
    };
  };
}

/** The words of a cited line: of the first line of an event its message, of any other line the line without `Caused by`. */
function readLine(cited: CitedLine, finding: Finding, events: Map<string, LogEvent[]>, sorted: LogEvent[]) {
  const there = events.get(`${cited.file} ${cited.line}`) ?? [];
  const event = there.find(({ raw }) => raw.trim().startsWith(cited.quote)) ?? there[0] ?? findHolder(cited, sorted);
  if (!event) return [];
  const telling = findTellingLine(event);
  const own = cited.line === event.line ? (event.message.split("\n")[0] ?? "") : cited.quote;
  const names = matchSigns(cited.quote).some(({ id }) => id === finding.sign);
  const inField = telling.offset === 0 && event.cause !== undefined && cited.line === event.line;
  const text = inField || (!names && telling.offset > 0) ? telling.text : own;
  return [{ event, text: text.replace(/^\s*Caused by:\s*/, ""), rate: rateTelling(text) + (names ? 1 : 0) }];
}

/** The event whose continuation lines hold a cited line. */
function findHolder({ line, file }: CitedLine, sorted: LogEvent[]): LogEvent | undefined {
  const before = sorted.findLast((event) => event.file === file && event.line <= line);
  return before && line <= Math.max(before.last_line ?? 0, before.line + before.raw.split("\n").length)
    ? before
    : undefined;
}

function findSign(id: string): RegExp | undefined {
  return readSigns().find((sign) => sign.id === id)?.pattern;
}

/** A line without the level and ids that begin it, cut to what a sentence can hold; what the sign was seen by stays. */
export function shortenWords(text: string, sign?: RegExp): string {
  const plain = text
    .replace(/^\s*(?:(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b[:\s]+)+/, "")
    .replace(/\s+/g, " ")
    .trim();
  const core = unwrap(plain);
  if (core.length <= longestWords) return core;
  const end = Math.min(core.length, endOfMatch(core, sign) + longestWords / 4);
  if (end <= longestWords) return `${core.slice(0, longestWords - 1)}…`;
  const from = core.indexOf(" ", end - longestWords + 2) + 1;
  return `…${core.slice(from, end).trim()}${end < core.length ? "…" : ""}`;
}

function endOfMatch(text: string, sign: RegExp | undefined): number {
  const match = sign?.exec(text);
  return match ? match.index + match[0].length : 0;
}

const wrapping =
  /^(?:[\w./-]+|[\w ./-]{0,60}\b(?:fail(?:ed|ure)?|errors?|unable|cannot|could not|rpc)\b[\w ./-]{0,60})$/i;

/** What a chain of wrapped errors ends in says the cause: as many wrappers are left out as it takes for the rest to fit. */
function unwrap(text: string): string {
  let rest = text;
  while (rest.length > longestWords) {
    const colon = rest.indexOf(": ");
    if (colon < 0 || !wrapping.test(rest.slice(0, colon))) break;
    rest = rest.slice(colon + 2);
  }
  return rest;
}
