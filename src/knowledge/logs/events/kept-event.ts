import type { ReadEvent } from "../header/header-format.ts";
import { copyText } from "../scan/copy-text.ts";
import { findCause } from "./find-cause.ts";
import type { Level } from "../../../contract/parsed-log.ts";

/** An event whose text is kept until the choice of what to show. */
export type KeptEvent = {
  /** The event's number over all sources, in the order they were read. */
  order: number;
  shape: number;
  file: string | null;
  line: number;
  lastLine: number;
  timestamp: number | null;
  level: Level | null;
  component: string | null;
  service: string | null;
  host: string | null;
  trace: string | null;
  /** How long the span took that the event is. */
  took: number | null;
  status: number | null;
  cause: string | null;
  message: string;
  raw: string;
};

const maxRaw = 2_000;

/** Copies what is needed of an event, so that the chunk it was read from can go. */
export function keepEvent(event: ReadEvent, at: Pick<KeptEvent, "order" | "shape" | "file">): KeptEvent {
  const lines = [event.raw, ...(event.extra ?? [])];
  const raw = cutLines(lines);
  return {
    order: at.order,
    shape: at.shape,
    file: at.file,
    line: event.line,
    lastLine: Math.min(event.lastLine, event.line + raw.split("\n").length - 1),
    timestamp: event.timestamp,
    level: event.level,
    component: copyOrNull(event.component),
    service: copyOrNull(event.service),
    host: copyOrNull(event.host),
    trace: copyOrNull(event.trace),
    took: event.span === null ? null : Math.round(event.span.durationMs),
    status: event.status,
    cause: copyOrNull(findCause(event.told ?? event.extra)),
    message: copyText(event.message.slice(0, maxRaw)),
    raw: copyText(raw),
  };
}

function copyOrNull(text: string | null): string | null {
  return text === null ? null : copyText(text);
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
