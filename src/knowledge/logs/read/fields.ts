import type { Level } from "../../../contract/parsed-log.ts";
import { createEvent, type ReadEvent } from "../event/event.ts";
import { layoutData } from "../event/log-data.ts";
import { isComponentName, nameWorkload, readLevel } from "../event/names.ts";
import type { TimestampReader } from "./timestamps.ts";

type FieldPlan = Record<string, readonly string[]>;

const maxPlans = 1024;
const plans = new Map<string, FieldPlan>();

/** `@timestamp`, `Timestamp` and `time_stamp` are one name. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/[@_-]/g, "");
}

/** The names that these keys can map to. A program writes few sets of keys, so each is examined once. */
function planFields(keys: readonly string[]): FieldPlan {
  const layout = keys.join("\n");
  const known = plans.get(layout);
  if (known !== undefined) return known;
  if (plans.size >= maxPlans) plans.clear();
  const given = new Map(keys.toReversed().map((key) => [plainKey(key), key]));
  const findKey = (name: string) =>
    given.get(name) ??
    (name.split(".").some((_, at, parts) => at > 0 && keys.includes(parts.slice(0, at).join("."))) ? name : null);
  const entries = Object.entries(layoutData.fields).map(
    ([kind, names]) => [kind, names.flatMap((name) => findKey(name) ?? [])] as const,
  );
  const plan: FieldPlan = Object.fromEntries(entries);
  plans.set(layout, plan);
  return plan;
}

/** Builds a header from named fields; a record without a message is its own message. */
export function readFields(
  keys: readonly string[],
  field: (name: string) => string | undefined,
  times: TimestampReader,
  line: string,
): ReadEvent {
  const names = planFields(keys);
  const first = (kind: string, fits: (value: string) => boolean = (value) => value !== "-") => {
    for (const name of names[kind] ?? []) {
      const value = field(name);
      if (value !== undefined && value !== "" && fits(value)) return value;
    }
    return null;
  };
  const time = first("time");
  const level = first("level");
  const pod = first("pod");
  const service = first("service", isComponentName) ?? (pod === null ? null : nameWorkload(pod));
  const error = first("error");
  const spoken = joinMessage(first("message"), error === null ? null : readFirstLine(error));
  const path = first("path", (value) => value.startsWith("/"));
  const message = spoken === null ? null : joinRequest(spoken, first("method"), path);
  const stack = first("stack") ?? (error?.includes("\n") ? error : null);
  const event = createEvent(line, message ?? line);
  event.timestamp = time === null ? null : times.read(time);
  event.level = level === null ? null : readLevel(level);
  event.component = first("component", isComponentName) ?? service;
  event.host = first("host") ?? pod;
  event.service = service;
  event.trace = first("trace");
  event.status = Number(first("status", (value) => /^[1-5]\d\d$/.test(value)) ?? 0) || null;
  event.stack = stack === null ? null : stack.split("\n").slice(0, 60);
  if (time === null && spoken === null) readByValue(event, keys, field, times);
  return event;
}

/** Reads fields with unknown names by their values: a time, a level, a name, a sentence. */
function readByValue(
  event: ReadEvent,
  keys: readonly string[],
  field: (name: string) => string | undefined,
  times: TimestampReader,
): void {
  const values = keys.flatMap((key) => field(key) ?? []);
  const stamp = values.find((value) => /^\d{10,}$|\d:\d\d/.test(value) && times.read(value) !== null);
  if (stamp === undefined) return;
  event.timestamp = times.read(stamp);
  const level = values.find((value) => value.length > 2 && readLevel(value) !== null);
  event.level ??= level === undefined ? null : readLevel(level);
  const sentence = values.find((value) => /^\S+ \S+ ?/.test(value) && value !== stamp);
  event.message = sentence ?? event.message;
  event.component ??=
    values.find((value) => value !== level && /^[A-Za-z][\w.-]*$/.test(value) && isComponentName(value)) ?? null;
}

/** Adds the request if only fields name it. */
function joinRequest(message: string, method: string | null, path: string | null): string {
  if (method === null || path === null || message.includes(path)) return message;
  return `${message} ${method} ${path}`;
}

/** The error in a field with a whole stack trace; null if its first line only announces the trace. */
function readFirstLine(error: string): string | null {
  const [line = ""] = error.split("\n");
  return line.startsWith("Traceback ") ? null : line;
}

function joinMessage(message: string | null, error: string | null): string | null {
  if (message === null || error === null || message.includes(error)) return message ?? error;
  return `${message}: ${error}`;
}

const saysLevel = /^(?:\[?(TRACE|DEBUG|INFO|NOTICE|LOG|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL|PANIC)\]?)[: ]/;

/** A level at the start of the message, as databases write it after a journal header. */
export function readOwnLevel(message: string): Level | null {
  const word = saysLevel.exec(message)?.[1];
  return word === undefined ? null : readLevel(word);
}

const logfmtStart = /^\s*[A-Za-z_][\w.@/-]*=(?:"(?:\\.|[^"\\])*"|[^\s"]*)(?:\s+[A-Za-z_][\w.@/-]*=|\s*$)/;
const logfmtPair = /([A-Za-z_][\w.@/-]*)=(?:"((?:\\.|[^"\\])*)"|([^\s"]*))/g;
const ofHeader = new Set(
  "time timestamp ts t level lvl severity msg message event logger component caller service svc app host hostname error err".split(
    " ",
  ),
);

/** Reads a logfmt line (`key=value`) with a message or a level, else null. */
export function readLogfmt(line: string, times: TimestampReader): ReadEvent | null {
  if (!logfmtStart.test(line)) return null;
  const fields = new Map<string, string>();
  for (const [, key, quoted, bare] of line.matchAll(logfmtPair))
    if (key !== undefined && !fields.has(key)) fields.set(key, quoted?.replaceAll('\\"', '"') ?? bare ?? "");
  if (!["msg", "message", "event", "level", "lvl"].some((name) => fields.has(name))) return null;
  const head = readFields([...fields.keys()], (name) => fields.get(name), times, line);
  const others = [...fields].filter(([key]) => !ofHeader.has(key)).map(([key, value]) => `${key}=${value}`);
  head.message = [head.message === line ? "" : head.message, ...others].join(" ").trim() || line;
  return head;
}
