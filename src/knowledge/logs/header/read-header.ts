import type { Level } from "../schemas/parsed-log.ts";
import { formats } from "./formats.ts";
import { type HeaderField, type HeaderFormat, type HeadReader, createEvent, type ReadEvent } from "./header-format.ts";
import { jsonReader } from "./json-line.ts";
import { readLevel, readPriority } from "./level.ts";
import { logfmtReader } from "./logfmt-line.ts";
import type { TimestampReader } from "./timestamp-reader.ts";

/** Reads any line as a message without a header. */
export const plainReader: HeadReader = {
  name: "plain",
  read: (line) => createEvent(line, line),
};

/** Every layout by the order in which it is tried. */
export const readers: readonly HeadReader[] = [jsonReader, ...formats.map(createPatternReader), logfmtReader];

/** The layouts that `--format` accepts, with what they look like. */
export const formatNames: readonly { name: string; about: string }[] = [
  { name: "json", about: "one JSON object per line" },
  ...formats.map(({ name, about }) => ({ name, about })),
  { name: "logfmt", about: "key=value pairs" },
  { name: "plain", about: "no header" },
];

/** The reader of a layout by its name, or undefined. */
export function findReader(name: string): HeadReader | undefined {
  return name === "plain" ? plainReader : readers.find((reader) => reader.name === name);
}

/** No header is longer; patterns are not tried on more of a line. */
const maxHeader = 2048;

/** Makes a reader of a layout; which group of the pattern is what is looked up once, because this runs for every line. */
function createPatternReader(format: HeaderFormat): HeadReader {
  const { pattern, layout } = format;
  const group = (field: HeaderField, from = 0) => format.fields.indexOf(field, from) + 1;
  const [time, level, priority] = [group("time"), group("level"), group("priority")];
  const otherLevel = level > 0 ? group("level", level) : 0;
  const [component, host, service] = [group("component"), group("host"), group("service")];
  const isAccess = format.name === "access";
  const read = (line: string, times: TimestampReader): ReadEvent | null => {
    const match = pattern.exec(line.length > maxHeader ? line.slice(0, maxHeader) : line);
    if (match === null) return null;
    const event = createEvent(line, line.slice(match[0].length));
    const stamp = match[time];
    if (time > 0 && stamp !== undefined) event.timestamp = times.read(stamp, layout);
    if (level > 0) event.level = readLevel(match[level] ?? match[otherLevel] ?? "");
    else if (isAccess) event.level = readRequestLevel(event.message);
    if (priority > 0 && match[priority] !== undefined) event.level = readPriority(Number(match[priority]));
    if (host > 0) event.host = match[host] ?? null;
    if (service > 0) event.service = match[service] ?? null;
    event.component = component > 0 ? (match[component] ?? event.service) : event.service;
    return event;
  };
  return { name: format.name, read };
}

/** A web server's line has no level; the status says it: 5xx is an error, 4xx a warning. */
function readRequestLevel(message: string): Level {
  const status = /" ([45])\d\d(?: |$)/.exec(message)?.[1];
  return status === "5" ? "ERROR" : status === "4" ? "WARN" : "INFO";
}
