import type { Level } from "../schemas/parsed-log.ts";
import { isComponentName, nameWorkload } from "./component-name.ts";
import { createEvent, type ReadEvent } from "./header-format.ts";
import { readLevel } from "./level.ts";
import type { TimestampReader } from "./timestamp-reader.ts";

const names = {
  time: [
    "time",
    "timestamp",
    "@timestamp",
    "ts",
    "t",
    "datetime",
    "date",
    "eventTime",
    "asctime",
    "Timestamp",
    "timeUnixNano",
  ],
  level: [
    "level",
    "severity",
    "lvl",
    "loglevel",
    "log.level",
    "levelname",
    "severityText",
    "SeverityText",
    "severity_text",
    "priority",
  ],
  message: ["message", "msg", "log", "event", "text", "body", "Body", "@message", "MESSAGE", "event.original"],
  component: [
    "logger",
    "component",
    "logger_name",
    "loggerName",
    "log.logger",
    "module",
    "name",
    "caller",
    "process.name",
  ],
  service: [
    "service",
    "svc",
    "service.name",
    "resource.service.name",
    "Resource.service.name",
    "app",
    "application",
    "container",
    "container.name",
    "container_name",
    "kubernetes.container.name",
    "kubernetes.container_name",
    "docker.container.name",
    "attrs.tag",
    "attrs.name",
    "source",
  ],
  host: [
    "host",
    "hostname",
    "host.name",
    "host.hostname",
    "node",
    "beat.hostname",
    "agent.hostname",
    "resource.host.name",
  ],
  pod: ["pod", "kubernetes.pod_name", "kubernetes.pod.name", "k8s.pod.name", "resource.k8s.pod.name"],
  trace: [
    "trace_id",
    "traceId",
    "traceid",
    "trace.id",
    "TraceId",
    "dd.trace_id",
    "request_id",
    "requestId",
    "correlation_id",
  ],
  status: [
    "status",
    "status_code",
    "statusCode",
    "http.status_code",
    "http.response.status_code",
    "res.statusCode",
    "response.status",
  ],
  method: ["method", "http.method", "http.request.method", "req.method", "request.method", "verb"],
  path: ["path", "url.path", "http.target", "req.url", "request.path", "request_uri", "uri", "url"],
} as const;

const errors = [
  "error",
  "err",
  "exception",
  "error.message",
  "err.message",
  "exception.message",
  "errmsg",
  "attr.error",
  "attributes.error",
  "data.error",
  "details.error",
  "fields.error",
];
const stacks = [
  "stack",
  "stack_trace",
  "stacktrace",
  "error.stack_trace",
  "err.stack",
  "error.stack",
  "exception.stacktrace",
  "exc_info",
];

/** Builds a head from named fields; a record without a message is its own message. */
export function readFields(
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
  const time = first(names.time);
  const level = first(names.level);
  const pod = first(names.pod);
  const service = first(names.service, isComponentName) ?? (pod === null ? null : nameWorkload(pod));
  const told = joinMessage(first(names.message), first(errors));
  const message = told === null ? null : joinRequest(told, first(names.method), first(names.path, isPath));
  const stack = first(stacks);
  return {
    ...createEvent(line, message ?? line),
    timestamp: time === null ? null : times.readAny(time),
    level: level === null ? null : readLevel(level),
    component: first(names.component, isComponentName) ?? service,
    host: first(names.host) ?? pod,
    service,
    trace: first(names.trace),
    status: readStatusField(first(names.status)),
    told: stack === null ? null : stack.split("\n").slice(0, 60),
  };
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
