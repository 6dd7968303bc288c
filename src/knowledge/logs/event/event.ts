import type { Level } from "../../../contract/parsed-log.ts";
import { findCause } from "./stack-trace.ts";

/** A stretch of work in a trace, and the one that asked for it; `peer` is whom a call was made to, where the span says so. */
export type Span = { id: string; parent: string | null; startMs: number; durationMs: number; peer: string | null };

export type ReadEvent = {
  message: string;
  timestamp: number | null;
  level: Level | null;
  component: string | null;
  host: string | null;
  service: string | null;
  client: string | null;
  trace: string | null;
  span: Span | null;
  status: number | null;
  line: number;
  lastLine: number;
  raw: string;
  extra: string[] | null;
  told: string[] | null;
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

export type Place = { order: number; shape: number; file: string | null; line: number; isError: boolean };

export type KeptEvent = Omit<Place, "isError"> &
  Pick<
    ReadEvent,
    "lastLine" | "timestamp" | "level" | "component" | "service" | "host" | "trace" | "status" | "message" | "raw"
  > & {
    took: number | null;
    cause: string | null;
  };

const maxRaw = 2_000;

/** Copies what is needed of an event, so that the chunk it was read from can go. */
export function keepEvent(event: ReadEvent, { order, shape, file }: Omit<Place, "line" | "isError">): KeptEvent {
  const raw = cutLines([event.raw, ...(event.extra ?? [])]);
  return {
    order,
    shape,
    file,
    line: event.line,
    lastLine: Math.min(event.lastLine, event.line + raw.split("\n").length - 1),
    timestamp: event.timestamp,
    level: event.level,
    component: copyText(event.component),
    service: copyText(event.service),
    host: copyText(event.host),
    trace: copyText(event.trace),
    took: event.span === null ? null : Math.round(event.span.durationMs),
    status: event.status,
    cause: copyText(findCause(event.told ?? event.extra)),
    message: copyText(event.message.slice(0, maxRaw)),
    raw: copyText(raw),
  };
}

/** A copy that does not keep the text it was cut from alive. */
export function copyText<T extends string | null>(text: T): T {
  return (text === null ? null : Buffer.from(text, "utf8").toString("utf8")) as T;
}

/** Whole lines up to the limit; the first line is always there, cut if it must be. */
function cutLines(lines: readonly string[]): string {
  let text = (lines[0] ?? "").slice(0, maxRaw);
  for (const line of lines.slice(1)) {
    if (text.length + line.length + 1 > maxRaw) break;
    text += `\n${line}`;
  }
  return text;
}
