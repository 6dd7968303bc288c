import { createEvent, type ReadEvent } from "./header-format.ts";
import { readLevel } from "./level.ts";
import type { TimestampReader } from "./timestamp-reader.ts";

const names = {
  time: ["time", "timestamp", "@timestamp", "ts", "t", "datetime", "date", "eventTime", "asctime"],
  level: ["level", "severity", "lvl", "loglevel", "log.level", "levelname", "severityText", "priority"],
  message: ["message", "msg", "log", "event", "text", "body", "@message", "MESSAGE"],
  component: ["logger", "component", "logger_name", "loggerName", "log.logger", "module", "name", "caller"],
  service: ["service", "service.name", "app", "application", "container", "container_name", "source"],
  host: ["host", "hostname", "host.name", "node", "pod", "kubernetes.pod_name"],
} as const;

const errors = ["error", "err", "exception", "error.message", "err.message", "exception.message"];

/** Builds a head from named fields; a record without a message is its own message. */
export function readFields(
  field: (name: string) => string | undefined,
  times: TimestampReader,
  line: string,
): ReadEvent {
  const first = (candidates: readonly string[]) => {
    for (const name of candidates) {
      const value = field(name);
      if (value !== undefined && value !== "") return value;
    }
    return null;
  };
  const time = first(names.time);
  const level = first(names.level);
  const message = first(names.message);
  const error = first(errors);
  const service = first(names.service);
  return {
    ...createEvent(line, joinMessage(message, error) ?? line),
    timestamp: time === null ? null : times.readAny(time),
    level: level === null ? null : readLevel(level),
    component: first(names.component) ?? service,
    host: first(names.host),
    service,
  };
}

/** An error that the message does not repeat is part of what happened. */
function joinMessage(message: string | null, error: string | null): string | null {
  if (message === null || error === null || message.includes(error)) return message ?? error;
  return `${message}: ${error}`;
}
