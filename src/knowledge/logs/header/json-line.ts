import type { Level } from "../../../contract/parsed-log.ts";
import type { HeadReader, ReadEvent } from "./header-format.ts";
import { listRecords, type JsonRecord } from "./json-records.ts";
import { readLevel, readNumericLevel, readPriority } from "./level.ts";
import { readFields, readOwnLevel } from "./read-fields.ts";
import { readWrapped } from "./read-wrapped.ts";
import type { TimestampReader } from "./timestamp-reader.ts";

/** One JSON object per line, with the field names that the common loggers use. */
export const jsonReader: HeadReader = {
  name: "json",
  read(line, times) {
    const record = parseObject(line);
    return record === null ? null : readJsonRecord(record, times, line);
  },
};

/** Reads one JSON object, which may hold several events (OTLP, lists of Kubernetes): the others are its siblings. */
export function readJsonRecord(whole: JsonRecord, times: TimestampReader, raw: string): ReadEvent {
  const records = listRecords(whole);
  const [first, ...others] = records.map((record) =>
    readRecord(record, times, records.length === 1 ? raw : JSON.stringify(record.source)),
  );
  if (first === undefined) return readRecord({ source: whole, fields: whole }, times, raw);
  return others.length === 0 ? first : { ...first, siblings: others };
}

function readRecord(record: ReturnType<typeof listRecords>[number], times: TimestampReader, raw: string): ReadEvent {
  const { fields } = record;
  const event = readFields(Object.keys(fields), (name) => printScalar(findValue(fields, name)), times, raw);
  event.level = readRecordLevel(fields) ?? event.level;
  event.span = record.span ?? null;
  return record.wraps ? unwrap(event, times) : event;
}

/** What a container or service wrote has often a head of its own, which knows more than the one around it. */
function unwrap(event: ReadEvent, times: TimestampReader): ReadEvent {
  const text = event.message.replace(/\n+$/, "");
  const record = parseObject(text);
  const inner = record === null ? readWrapped(text, times) : readJsonRecord(record, times, text);
  if (inner === null) return { ...event, message: text, level: readOwnLevel(text) ?? event.level };
  return {
    ...event,
    message: inner.message,
    timestamp: event.timestamp ?? inner.timestamp,
    level: inner.level ?? event.level,
    component: inner.component ?? event.component,
    service: event.service ?? inner.service,
    host: event.host ?? inner.host,
    client: inner.client,
    trace: event.trace ?? inner.trace,
    status: event.status ?? inner.status,
    told: event.told ?? inner.told,
  };
}

/** Levels that are numbers: of pino and bunyan, of syslog (`PRIORITY`), of OpenTelemetry. */
function readRecordLevel(fields: JsonRecord): Level | null {
  const syslog = fields.PRIORITY;
  if (typeof syslog === "string" || typeof syslog === "number") return readPriority(Number(syslog));
  const otel = fields.severityNumber ?? fields.SeverityNumber ?? fields.severity_number;
  if (typeof otel === "number" && otel > 0) return readNumericLevel(Math.ceil(otel / 4) * 10);
  const level = findValue(fields, "level") ?? findValue(fields, "severity");
  if (typeof level !== "number") return null;
  return level >= 10 ? readNumericLevel(level) : readLevel(String(level));
}

export function parseObject(line: string): JsonRecord | null {
  const text = line.trim();
  if (text.charCodeAt(0) !== 123 || text.charCodeAt(text.length - 1) !== 125) return null;
  try {
    return JSON.parse(line) as JsonRecord;
  } catch {
    return null;
  }
}

/** A field by its name, or by its path when nested (`log.level`), also where part of the path is a dotted name. */
function findValue(record: JsonRecord, name: string): unknown {
  if (name in record) return record[name];
  let dot = name.indexOf(".");
  while (dot > 0) {
    const value = record[name.slice(0, dot)];
    if (typeof value === "object" && value !== null) return findValue(value as JsonRecord, name.slice(dot + 1));
    dot = name.indexOf(".", dot + 1);
  }
  return undefined;
}

function printScalar(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
