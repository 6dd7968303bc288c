import type { Level } from "../../../contract/parsed-log.ts";
import type { TimeLayout, TimestampReader } from "./timestamp-reader.ts";

/**
 * What the captured parts of a header are; a `bracket` is a component or a thread, a `sign` a level by a single
 * character, a `client` the address of whoever asked.
 */
export type HeaderField =
  | "time"
  | "level"
  | "priority"
  | "component"
  | "host"
  | "service"
  | "bracket"
  | "client"
  | "status";

/** A line layout: `pattern` matches the header only, the message is what follows it. */
export type HeaderFormat = {
  name: string;
  about: string;
  pattern: RegExp;
  fields: readonly HeaderField[];
  layout: TimeLayout;
  /** The program that writes this layout, where only one does. */
  program?: string;
};

/** A stretch of work in a trace, and the one that asked for it; `peer` is whom a call was made to, where the span says so. */
export type Span = { id: string; parent: string | null; startMs: number; durationMs: number; peer: string | null };

/** A line taken apart, and the event that it begins: where it stands, the line itself, and the lines that continue it. */
export type ReadEvent = {
  message: string;
  timestamp: number | null;
  level: Level | null;
  component: string | null;
  host: string | null;
  service: string | null;
  /** The address of whoever asked, in the log of a server. */
  client: string | null;
  trace: string | null;
  /** The span that the event is, where it comes from traces that say who called whom. */
  span: Span | null;
  status: number | null;
  line: number;
  lastLine: number;
  raw: string;
  extra: string[] | null;
  /** What the lines that continue it say without their headers, where they have some. */
  told: string[] | null;
  /** Further events of the same line: one line of OTLP JSON holds many. */
  siblings: ReadEvent[] | null;
};

/** An event whose head is still to be filled in. */
export function createEvent(raw: string, message: string): ReadEvent {
  return {
    message,
    timestamp: null,
    level: null,
    component: null,
    host: null,
    service: null,
    client: null,
    trace: null,
    span: null,
    status: null,
    line: 0,
    lastLine: 0,
    raw,
    extra: null,
    told: null,
    siblings: null,
  };
}

/** Takes a line apart, or returns null when it is not of this layout. */
export type HeadReader = { name: string; read(line: string, times: TimestampReader): ReadEvent | null };
