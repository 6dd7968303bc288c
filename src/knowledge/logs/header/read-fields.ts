import type { Level } from "../../../contract/parsed-log.ts";
import { isComponentName, nameWorkload } from "./component-name.ts";
import { planFields } from "./field-names.ts";
import { createEvent, type ReadEvent } from "./header-format.ts";
import { readLevel } from "./level.ts";
import type { TimestampReader } from "./timestamp-reader.ts";

/** Builds a head from the named fields of a record with these keys; a record without a message is its own message. */
export function readFields(
  keys: readonly string[],
  field: (name: string) => string | undefined,
  times: TimestampReader,
  line: string,
): ReadEvent {
  const first = (candidates: readonly string[], fits: (value: string) => boolean = isGiven) => {
    for (const name of candidates) {
      const value = field(name);
      if (value !== undefined && value !== "" && fits(value)) return value;
    }
    return null;
  };
  const names = planFields(keys);
  const time = first(names.time);
  const level = first(names.level);
  const pod = first(names.pod);
  const service = first(names.service, isComponentName) ?? (pod === null ? null : nameWorkload(pod));
  const error = first(names.error);
  const told = joinMessage(first(names.message), error === null ? null : readFirstLine(error));
  const message = told === null ? null : joinRequest(told, first(names.method), first(names.path, isPath));
  const stack = first(names.stack) ?? (error?.includes("\n") ? error : null);
  const event = createEvent(line, message ?? line);
  event.timestamp = time === null ? null : times.readAny(time);
  event.level = level === null ? null : readLevel(level);
  event.component = first(names.component, isComponentName) ?? service;
  event.host = first(names.host) ?? pod;
  event.service = service;
  event.trace = first(names.trace);
  event.status = readStatusField(first(names.status));
  event.told = stack === null ? null : stack.split("\n").slice(0, 60);
  return event;
}

function isGiven(value: string): boolean {
  return value !== "-";
}

function readStatusField(text: string | null): number | null {
  return text !== null && /^[1-5]\d\d$/.test(text) ? Number(text) : null;
}

function isPath(value: string): boolean {
  return value.startsWith("/");
}

/** Which request it was, where only fields say so. */
function joinRequest(message: string, method: string | null, path: string | null): string {
  if (method === null || path === null || message.includes(path)) return message;
  return `${message} ${method} ${path}`;
}

/** What a field with a whole stack trace says of the error: nothing where its first line only announces the trace. */
function readFirstLine(error: string): string | null {
  const [line = ""] = error.split("\n");
  return line.startsWith("Traceback ") ? null : line;
}

/** An error that the message does not repeat is part of what happened. */
function joinMessage(message: string | null, error: string | null): string | null {
  if (message === null || error === null || message.includes(error)) return message ?? error;
  return `${message}: ${error}`;
}

const saysLevel = /^(?:\[?(TRACE|DEBUG|INFO|NOTICE|LOG|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL|PANIC)\]?)[: ]/;

/** The level that a message itself begins with, as databases write it behind the header of a journal. */
export function readOwnLevel(message: string): Level | null {
  const word = saysLevel.exec(message)?.[1];
  return word === undefined ? null : readLevel(word);
}
