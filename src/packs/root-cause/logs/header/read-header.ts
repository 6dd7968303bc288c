import type { Level } from "../parsed-log.ts";
import { formats } from "./formats.ts";
import { type HeaderFormat, type HeadReader, newEvent, type ReadEvent } from "./header-format.ts";
import { jsonReader } from "./json-line.ts";
import { readLevel, readPriority } from "./level.ts";
import { logfmtReader } from "./logfmt-line.ts";
import { readTimestamp, type YearClock } from "./timestamp.ts";

/** Reads any line as a message without a header. */
export const plainReader: HeadReader = {
  name: "plain",
  read: (line) => newEvent(line, line),
};

/** Every layout by the order in which it is tried. */
export const readers: readonly HeadReader[] = [jsonReader, ...formats.map(patternReader), logfmtReader];

/** The layouts that `--format` accepts, with what they look like. */
export const formatNames: readonly { name: string; about: string }[] = [
  { name: "json", about: "one JSON object a line" },
  ...formats.map(({ name, about }) => ({ name, about })),
  { name: "logfmt", about: "key=value pairs" },
  { name: "plain", about: "no header" },
];

/** The reader of a layout by its name, or undefined. */
export function readerNamed(name: string): HeadReader | undefined {
  return name === "plain" ? plainReader : readers.find((reader) => reader.name === name);
}

function patternReader(format: HeaderFormat): HeadReader {
  return { name: format.name, read: (line, clock) => readPattern(format, line, clock) };
}

function readPattern(format: HeaderFormat, line: string, clock: YearClock): ReadEvent | null {
  const match = format.pattern.exec(line);
  if (match === null) return null;
  const head = newEvent(line, line.slice(match[0].length));
  for (let index = 0; index < format.fields.length; index += 1) {
    const value = match[index + 1];
    if (value === undefined) continue;
    switch (format.fields[index]) {
      case "time":
        head.timestamp = readTimestamp(value, format.layout, clock);
        break;
      case "level":
        head.level = readLevel(value);
        break;
      case "priority":
        head.level = readPriority(Number(value));
        break;
      case "component":
        head.component = value;
        break;
      case "host":
        head.host = value;
        break;
      case "service":
        head.service = value;
        break;
      default:
    }
  }
  head.component ??= head.service;
  if (format.name === "access") head.level = levelOfRequest(head.message);
  return head;
}

/** A web server's line has no level; the status says it: 5xx is an error, 4xx a warning. */
function levelOfRequest(message: string): Level {
  const status = /" ([45])\d\d(?: |$)/.exec(message)?.[1];
  return status === "5" ? "ERROR" : status === "4" ? "WARN" : "INFO";
}
