import type { Span } from "./header-format.ts";

export type JsonRecord = Record<string, unknown>;

/**
 * One event of a JSON object: the object that tells it, and its fields by the names that `readFields` knows; `wraps`
 * says that its message is a line that some program wrote.
 */
export type FoundRecord = { source: unknown; fields: JsonRecord; wraps?: boolean; span?: Span | null };

const mostRecords = 100_000;

/** The events that a JSON object holds: its own, or those of an OTLP export, a Kubernetes list, a journal or container. */
export function listRecords(whole: JsonRecord): FoundRecord[] {
  if (Array.isArray(whole.resourceLogs)) return listOf(whole.resourceLogs).flatMap(listOtlpLogs).slice(0, mostRecords);
  if (Array.isArray(whole.resourceSpans))
    return listOf(whole.resourceSpans).flatMap(listOtlpSpans).slice(0, mostRecords);
  if (Array.isArray(whole.scopeLogs)) return listOtlpLogs(whole).slice(0, mostRecords);
  if (Array.isArray(whole.scopeSpans)) return listOtlpSpans(whole).slice(0, mostRecords);
  if (Array.isArray(whole.items)) return listOf(whole.items).flatMap(listRecords).slice(0, mostRecords);
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

/** A span as the event of its end: what was done, how long it took, and what went wrong. */
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

/** Times are of milliseconds and fractions of them; a span without an id cannot be anybody's parent. */
function readSpan(span: JsonRecord, attributes: JsonRecord, { start, end }: { start: number; end: number }) {
  const [id, parent] = [printText(span.spanId), printText(span.parentSpanId)];
  const isCall = span.kind === 3 || span.kind === "SPAN_KIND_CLIENT";
  const peer = isCall ? peerNames.map((name) => printText(attributes[name])).find((name) => name !== "") : undefined;
  const durationMs = Math.max(0, (end - start) / 1e6);
  return id === "" ? null : { id, parent: parent || null, startMs: start / 1e6, durationMs, peer: peer ?? null };
}

/** `kubectl get events -o json`: what happened to an object of the cluster, and how often. */
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

/** `journalctl -o json`: the journal names the program and the machine. */
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

/** The log of a MongoDB server: letters for the level, and what went wrong among the attributes. */
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

/** An OTLP value as text: `{"stringValue": "x"}`, or what its parts say. */
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
