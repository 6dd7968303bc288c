import { formats } from "./formats.ts";
import { type HeadReader, createEvent, type ReadEvent } from "./header-format.ts";
import { jsonReader } from "./json-line.ts";
import { logfmtReader } from "./logfmt-line.ts";
import { createPatternReader } from "./pattern-reader.ts";
import type { TimestampReader } from "./timestamp-reader.ts";
import { wrappedFormats, wrappedReaders } from "./wrapped-line.ts";

/** Reads any line as a message without a header. */
export const plainReader: HeadReader = {
  name: "plain",
  read: (line) => createEvent(line, line),
};

/** Every layout by the order in which it is tried. */
export const readers: readonly HeadReader[] = [
  jsonReader,
  ...wrappedReaders,
  ...formats.map(createPatternReader),
  logfmtReader,
];

const programs = formats.filter(({ program }) => program !== undefined).map(createPatternReader);
const general = new Set(["iso-level", "iso", "level-first"]);

/** Reads a line that a general layout fits without naming a component as one of a program's own layout; else null. */
export function readAsProgram(line: string, fitted: HeadReader, times: TimestampReader): ReadEvent | null {
  if (!general.has(fitted.name)) return null;
  for (const reader of programs) {
    const event = reader.read(line, times);
    if (event !== null) return event;
  }
  return null;
}

/** The layouts that `--format` accepts, with what they look like. */
export const formatNames: readonly { name: string; about: string }[] = [
  { name: "json", about: "JSON: one object per line, or one document with a list" },
  ...wrappedFormats.map(({ name, about }) => ({ name, about })),
  ...formats.map(({ name, about }) => ({ name, about })),
  { name: "logfmt", about: "key=value pairs" },
  { name: "plain", about: "no header" },
];

/** The reader of a layout by its name, or undefined. */
export function findReader(name: string): HeadReader | undefined {
  return name === "plain" ? plainReader : readers.find((reader) => reader.name === name);
}
