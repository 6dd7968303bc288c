import type { Level } from "../../../contract/parsed-log.ts";
import type { ReadEvent, Span } from "../event/event.ts";
import { readLevel, readNumericLevel, readPriority } from "../event/names.ts";
import { readFields, readOwnLevel } from "./fields.ts";
import type { TimestampReader } from "./timestamps.ts";

export type JsonRecord = Record<string, unknown>;

/** One event of a JSON object, with its fields by the names that `readFields` knows; `wraps` means that its message is another program's log line. */
type FoundRecord = { source: unknown; fields: JsonRecord; wraps?: boolean; span?: Span | null };

const mostRecords = 100_000;

export type ReadInner = (text: string, times: TimestampReader) => ReadEvent | null;

/** Reads one JSON object; if it holds several events (OTLP, Kubernetes lists), the others are its siblings. */
export function readJsonRecord(
  whole: JsonRecord,
  raw: string,
  times: TimestampReader,
  readInner: ReadInner,
): ReadEvent {
  const records = listRecords(whole);
  const [first, ...others] = records.map((record) =>
    readRecord(record, records.length === 1 ? raw : JSON.stringify(record.source), times, readInner),
  );
  if (first === undefined) return readRecord({ source: whole, fields: whole }, raw, times, readInner);
  return others.length === 0 ? first : { ...first, siblings: others };
}

function readRecord(record: FoundRecord, raw: string, times: TimestampReader, readInner: ReadInner): ReadEvent {
  const { fields } = record;
  const event = readFields(Object.keys(fields), (name) => printScalar(findValue(fields, name)), times, raw);
  event.level = readRecordLevel(fields) ?? event.level;
  event.span = record.span ?? null;
  return record.wraps ? unwrap(event, times, readInner) : event;
}

function unwrap(event: ReadEvent, times: TimestampReader, readInner: ReadInner): ReadEvent {
  const text = event.message.replace(/\n+$/, "");
  const inner = readInner(text, times);
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
    stack: event.stack ?? inner.stack,
  };
}

/** Numeric levels of pino, bunyan, syslog (`PRIORITY`) and OpenTelemetry. */
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

/** A field by name or nested path (`log.level`), also if part of the path is a dotted name. */
function findValue(record: JsonRecord, name: string): unknown {
  if (name in record) return record[name];
  for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
    const value = record[name.slice(0, dot)];
    if (typeof value === "object" && value !== null) return findValue(value as JsonRecord, name.slice(dot + 1));
  }
  return undefined;
}

function printScalar(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

function listRecords(whole: JsonRecord): FoundRecord[] {
  if (Array.isArray(whole.resourceLogs)) return listOf(whole.resourceLogs).flatMap(listOtlpLogs).slice(0, mostRecords);
  if (Array.isArray(whole.resourceSpans))
    return listOf(whole.resourceSpans).flatMap(listOtlpSpans).slice(0, mostRecords);
  if (Array.isArray(whole.scopeLogs)) return listOtlpLogs(whole).slice(0, mostRecords);
  if (Array.isArray(whole.scopeSpans)) return listOtlpSpans(whole).slice(0, mostRecords);
  if (Array.isArray(whole.items)) return listOf(whole.items.flat()).flatMap(listRecords).slice(0, mostRecords);
  if (typeof whole.involvedObject === "object" && whole.involvedObject !== null) return [readKubernetesEvent(whole)];
  if ("__REALTIME_TIMESTAMP" in whole || ("MESSAGE" in whole && "_HOSTNAME" in whole)) return [readJournal(whole)];
  if (typeof whole.t === "object" && typeof whole.s === "string" && typeof whole.c === "string")
    return [readMongod(whole)];
  const isContainer = typeof whole.log === "string" && ("stream" in whole || "kubernetes" in whole || "attrs" in whole);
  return [{ source: whole, fields: whole, wraps: isContainer }];
}

function listOtlpLogs(resource: JsonRecord): FoundRecord[] {
  const about = readAttributes(pick(resource, "resource").attributes);
  return listOf(resource.scopeLogs).flatMap((scope) =>
    listOf(scope.logRecords).map((record) => ({
      source: { resource: resource.resource, ...record },
      fields: {
        ...readAttributes(record.attributes),
        ...record,
        body: printBody(record.body),
        resource: about,
        "service.name": about["service.name"],
        "host.name": about["host.name"],
        "k8s.pod.name": about["k8s.pod.name"],
        logger: pick(scope, "scope").name,
        timeUnixNano: readOtlpTime(record),
      },
    })),
  );
}

function readOtlpTime(record: JsonRecord): unknown {
  const time = printText(record.timeUnixNano, "0");
  return time === "0" || time === "" ? record.observedTimeUnixNano : time;
}

function listOtlpSpans(resource: JsonRecord): FoundRecord[] {
  const about = readAttributes(pick(resource, "resource").attributes);
  return listOf(resource.scopeSpans).flatMap((scope) =>
    listOf(scope.spans).map((span) => {
      const [start, end] = [Number(span.startTimeUnixNano ?? 0), Number(span.endTimeUnixNano ?? 0)];
      const attributes = readAttributes(span.attributes);
      const status = pick(span, "status");
      const failed = status.code === 2 || status.code === "STATUS_CODE_ERROR";
      const took = `${printText(span.name, "span")} took ${Math.max(0, Math.round((end - start) / 1e6))} ms`;
      const why = typeof status.message === "string" && status.message !== "" ? `: ${status.message}` : "";
      return {
        source: { resource: resource.resource, ...span },
        fields: {
          ...attributes,
          message: failed ? `${took}, failed${why}` : took,
          level: failed ? "error" : "info",
          timeUnixNano: span.endTimeUnixNano ?? span.startTimeUnixNano,
          traceId: span.traceId,
          "service.name": about["service.name"],
          "host.name": about["host.name"],
          status_code: attributes["http.response.status_code"] ?? attributes["http.status_code"],
        },
        span: readSpan(span, attributes, { start, end }),
      };
    }),
  );
}

const peerNames = ["peer.service", "server.address", "net.peer.name", "db.system", "messaging.system"];

/** Times are in milliseconds with fractions; a span without an id cannot be a parent. */
function readSpan(span: JsonRecord, attributes: JsonRecord, { start, end }: { start: number; end: number }) {
  const [id, parent] = [printText(span.spanId), printText(span.parentSpanId)];
  const isCall = span.kind === 3 || span.kind === "SPAN_KIND_CLIENT";
  const peer = isCall ? peerNames.map((name) => printText(attributes[name])).find((name) => name !== "") : undefined;
  const durationMs = Math.max(0, (end - start) / 1e6);
  return id === "" ? null : { id, parent: parent || null, startMs: start / 1e6, durationMs, peer: peer ?? null };
}

/** `kubectl get events -o json`. */
function readKubernetesEvent(event: JsonRecord): FoundRecord {
  const about = pick(event, "involvedObject");
  const count = typeof event.count === "number" && event.count > 1 ? ` (${event.count} times)` : "";
  const source = pick(event, "source");
  const isPod = about.kind === "Pod";
  return {
    source: event,
    fields: {
      message: `${printText(event.reason)}: ${printText(event.message)}${count}`,
      level: event.type === "Warning" ? "warn" : "info",
      time: event.lastTimestamp ?? event.eventTime ?? event.firstTimestamp ?? pick(event, "metadata").creationTimestamp,
      ...(isPod ? { pod: about.name } : { service: about.name }),
      host: source.host ?? undefined,
    },
  };
}

/** `journalctl -o json`. */
function readJournal(entry: JsonRecord): FoundRecord {
  const message = Array.isArray(entry.MESSAGE)
    ? Buffer.from(entry.MESSAGE as number[]).toString("utf8")
    : entry.MESSAGE;
  const program = entry.SYSLOG_IDENTIFIER ?? entry._COMM ?? entry._SYSTEMD_UNIT;
  const fields = {
    message,
    time: entry.__REALTIME_TIMESTAMP ?? entry._SOURCE_REALTIME_TIMESTAMP,
    PRIORITY: entry.PRIORITY,
    service: entry.CONTAINER_NAME ?? program,
    host: entry._HOSTNAME,
  };
  return { source: entry, fields, wraps: true };
}

function readMongod(entry: JsonRecord): FoundRecord {
  const attributes = pick(entry, "attr");
  const fields = {
    time: pick(entry, "t").$date,
    level: entry.s,
    message: entry.msg,
    logger: entry.c,
    service: "mongod",
    error: attributes.message ?? attributes.errmsg ?? attributes.error ?? pick(attributes, "error").errmsg,
  };
  return { source: entry, fields };
}

function readAttributes(list: unknown): JsonRecord {
  return Object.fromEntries(listOf(list).map(({ key, value }) => [String(key), printBody(value)]));
}

/** An OTLP value as text: `{"stringValue": "x"}`, or its parts. */
function printBody(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const [kind, inner] = Object.entries(value)[0] ?? [];
  if (kind !== "kvlistValue" && kind !== "arrayValue") return typeof inner === "object" ? JSON.stringify(value) : inner;
  const parts = listOf((inner as JsonRecord | null)?.values);
  return parts
    .map((part) => ("key" in part ? `${String(part.key)}=${String(printBody(part.value))}` : String(printBody(part))))
    .join(" ");
}

function listOf(value: unknown): JsonRecord[] {
  return Array.isArray(value)
    ? value.filter((item): item is JsonRecord => typeof item === "object" && item !== null)
    : [];
}

function pick(record: JsonRecord, name: string): JsonRecord {
  const value = record[name];
  return typeof value === "object" && value !== null ? (value as JsonRecord) : {};
}

function printText(value: unknown, otherwise = ""): string {
  return typeof value === "string" || typeof value === "number" ? `${value}` : otherwise;
}
