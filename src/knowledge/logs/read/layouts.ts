import type { Level } from "../../../contract/parsed-log.ts";
import { createEvent, type ReadEvent } from "../event/event.ts";
import { compilePattern, type Layout, layoutData, type Wrapping } from "../event/log-data.ts";
import {
  isBracketedComponent,
  isComponentName,
  isExceptionName,
  nameWorkload,
  readLevel,
  readPriority,
} from "../event/names.ts";
import { readLogfmt, readOwnLevel } from "./fields.ts";
import { induceReader } from "./induce-layout.ts";
import { type JsonRecord, parseObject, readJsonRecord } from "./json-records.ts";
import { TimestampReader } from "./timestamps.ts";

export type HeadReader = { name: string; read(line: string, times: TimestampReader): ReadEvent | null };

const maxHeader = 2048;

/** Compiles a layout; groups are resolved once, because this runs for every line. */
function createPatternReader({ name, pattern: source, fields, program }: Layout): HeadReader {
  const pattern = compilePattern(source);
  const group = (field: string, from = 0) => fields.indexOf(field, from) + 1;
  const [time, level, priority] = [group("time"), group("level"), group("priority")];
  const otherLevel = level > 0 ? group("level", level) : 0;
  const [host, client, status] = [group("host"), group("client"), group("status")];
  const places = {
    name: group("component"),
    bracket: group("bracket"),
    service: group("service"),
    program: program ?? null,
  };
  const read = (line: string, times: TimestampReader): ReadEvent | null => {
    const match = pattern.exec(line.length > maxHeader ? line.slice(0, maxHeader) : line);
    if (match === null) return null;
    const event = createEvent(line, line.slice(match[0].length));
    const stamp = match[time];
    if (time > 0 && stamp !== undefined) event.timestamp = times.read(stamp);
    if (level > 0) event.level = readLevel(match[level] ?? match[otherLevel] ?? "");
    if (priority > 0 && match[priority] !== undefined) event.level = readPriority(Number(match[priority]));
    if (host > 0) event.host = match[host] ?? null;
    if (client > 0) event.client = match[client] ?? null;
    if (status > 0 && match[status] !== undefined) {
      event.status = Number(match[status]);
      event.level ??= readStatusLevel(event.status);
    }
    nameComponent(event, match, places);
    return event;
  };
  return { name, read };
}

type NamePlaces = { name: number; bracket: number; service: number; program: string | null };

/** The component is the logger, else a name in brackets, else the program; impossible names stay in the message. */
function nameComponent(event: ReadEvent, match: RegExpExecArray, places: NamePlaces): void {
  const name = places.name > 0 ? match[places.name] : undefined;
  const bracket = places.bracket > 0 ? match[places.bracket] : undefined;
  const service = places.service > 0 ? match[places.service] : undefined;
  event.service = service !== undefined && isComponentName(service) ? service : places.program;
  const mayBeLogger = name !== undefined && isComponentName(name);
  const isClearly = mayBeLogger && /[.A-Z$]/.test(name);
  const inBrackets = !isClearly && bracket !== undefined && isBracketedComponent(bracket) ? bracket : null;
  const isLogger = mayBeLogger && inBrackets === null;
  event.component = isLogger ? name : (inBrackets ?? event.service);
  if (name !== undefined && !isLogger) returnToMessage(event, name);
}

/** `ReplyError: OOM` has an exception where others have their logger, so it belongs to the message. */
function returnToMessage(event: ReadEvent, name: string): void {
  const at = event.raw.lastIndexOf(name, event.raw.length - event.message.length);
  if (at >= 0 && (isExceptionName(name) || event.component !== null)) event.message = event.raw.slice(at);
}

function readStatusLevel(status: number): Level {
  return status >= 500 ? "ERROR" : status >= 400 ? "WARN" : "INFO";
}

const mayHaveHead = /^[[<{(]?\d|^[A-Z][a-z]{2} +\d|^\[|^[A-Za-z_]+=|^[IWEF]\d{4} |^[A-Z]{4,8}\b|^<\d/;

function readInner(text: string, times: TimestampReader): ReadEvent | null {
  const record = parseObject(text);
  if (record !== null) return readRecord(record, times, text);
  if (!mayHaveHead.test(text)) return null;
  for (const { read } of plainLayouts) {
    const event = read(text, times);
    if (event !== null && (event.level !== null || event.timestamp !== null)) return event;
  }
  return null;
}

/** Reads a JSON object; a log line inside one of its fields is read as if it stood alone. */
export function readRecord(record: JsonRecord, times: TimestampReader, raw: string): ReadEvent {
  return readJsonRecord(record, raw, times, readInner);
}

function createWrappedReader({ name, pattern: source, holds_head = false }: Wrapping): HeadReader {
  const pattern = compilePattern(source);
  const read = (line: string, times: TimestampReader): ReadEvent | null => {
    const match = pattern.exec(line);
    if (match === null) return null;
    const text = line.slice(match[0].length);
    const inner = readInner(text, times);
    if (holds_head && inner === null) return null;
    const { pod, program, time } = match.groups ?? {};
    const service = pod === undefined ? program : nameWorkload(pod);
    const event = inner ?? { ...createEvent(line, text), level: readOwnLevel(text) };
    return {
      ...event,
      raw: line,
      timestamp: time === undefined ? event.timestamp : (times.read(time) ?? event.timestamp),
      service: service ?? event.service,
      component: event.component ?? service ?? null,
      host: pod ?? event.host,
    };
  };
  return { name, read };
}

export const plainReader: HeadReader = { name: "plain", read: (line) => createEvent(line, line) };

const jsonReader: HeadReader = {
  name: "json",
  read(line, times) {
    const record = parseObject(line);
    return record === null ? null : readRecord(record, times, line);
  },
};

const patternReaders = layoutData.layouts.map(createPatternReader);
const plainLayouts: readonly HeadReader[] = [...patternReaders, { name: "logfmt", read: readLogfmt }];

export const readers: readonly HeadReader[] = [
  jsonReader,
  ...layoutData.wrappings.map(createWrappedReader),
  ...plainLayouts,
];

export function findReader(name: string): HeadReader | undefined {
  return name === "plain" ? plainReader : readers.find((reader) => reader.name === name);
}

/** The share of possible first lines that a layout must match. */
const enough = 0.3;
const catchAll = "iso";
/** Layouts that say when and perhaps how bad, not who. */
const generic = ["iso", "iso-level", "epoch", "dmesg", "clock-level"];

/** How a source is read: `main` first, then `others` that matched some of the first lines. */
export type Guess = { main: HeadReader; others: readonly HeadReader[] };

/** Guesses the layout from the first lines: the best match, and the more specific one in a tie. */
export function guessReader(lines: readonly string[]): Guess {
  const candidates = lines.filter((line) => /\S/.test(line) && !looksContinued(line));
  const times = new TimestampReader(0);
  const fits = readers
    .map((reader) => ({ reader, hits: candidates.filter((line) => reader.read(line, times) !== null).length }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits);
  const [best] = fits;
  const least = candidates.length * enough;
  if (best === undefined || best.hits < least)
    return { main: induceReader(candidates, times) ?? plainReader, others: [] };
  const top = fits.filter(({ hits }) => hits >= best.hits * 0.95).map(({ reader }) => reader);
  const fitting = readers.find((reader) => top.includes(reader)) ?? best.reader;
  const precise = fits.find(({ reader, hits }) => reader.name !== catchAll && hits >= least)?.reader;
  const main = fitting.name === catchAll ? (precise ?? fitting) : fitting;
  const isNameless = (line: string) => (main.read(line, times)?.component ?? null) === null;
  if (generic.includes(main.name) && candidates.every(isNameless)) {
    const induced = induceReader(candidates, times);
    if (induced?.isNamed) return { main: induced, others: [main] };
  }
  const others = readers.filter((reader) => reader !== main && fits.some((fit) => fit.reader === reader));
  return { main, others };
}

const continued = /^(?:\s+\S|at |Caused by:|\.\.\. \d+ more|Traceback |[})\]]|[\w.$]+(?:Exception|Error)(?::|$))/;

/** True for indented lines, stack frames, exceptions and closing brackets. */
export function looksContinued(line: string): boolean {
  return continued.test(line);
}
