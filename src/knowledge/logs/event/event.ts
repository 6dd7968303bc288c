import type { Level } from "../../../contract/parsed-log.ts";
import { findCause } from "./stack-trace.ts";

/** A span of a trace and its parent; `peer` is the callee, if the span names it. */
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
  stack: string[] | null;
  siblings: ReadEvent[] | null;
};

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
    stack: null,
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

/** Copies an event, so that the chunk it was read from can be freed. */
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
    cause: copyText(findCause(event.stack ?? event.extra)),
    message: copyText(event.message.slice(0, maxRaw)),
    raw: copyText(raw),
  };
}

/** A copy that does not keep the text it was cut from alive. */
export function copyText<T extends string | null>(text: T): T {
  return (text === null ? null : Buffer.from(text, "utf8").toString("utf8")) as T;
}

/** Whole lines up to the limit; at least the first, cut if necessary. */
function cutLines(lines: readonly string[]): string {
  let text = (lines[0] ?? "").slice(0, maxRaw);
  for (const line of lines.slice(1)) {
    if (text.length + line.length + 1 > maxRaw) break;
    text += `\n${line}`;
  }
  return text;
}
