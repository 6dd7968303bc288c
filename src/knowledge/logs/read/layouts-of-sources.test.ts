import { describe, expect, test } from "vitest";
import { LogEventReader } from "./event-reader.ts";
import type { ReadEvent } from "../event/event.ts";
import { TimestampReader } from "./timestamps.ts";

function read(text: string): ReadEvent[] {
  const events: ReadEvent[] = [];
  const reader = new LogEventReader({
    reader: null,
    times: new TimestampReader(Date.UTC(2026, 5, 1)),
    emit: (event) => void events.push(event),
  });
  reader.add(text.split("\n"));
  reader.end();
  return events;
}

type Row = [source: string, text: string, expected: Partial<ReadEvent>];

const at = Date.UTC(2026, 2, 4, 9, 0, 0);
const otlpResource = '{"attributes":[{"key":"service.name","value":{"stringValue":"cart"}}]}';

const rows: Row[] = [
  [
    "kubectl logs --prefix --timestamps",
    '[pod/search-7c9d6f8b9c-x2x9z/app] 2026-03-04T09:00:00.000000000Z level=warn msg="heap grows" rss_mb=300',
    {
      timestamp: at,
      level: "WARN",
      component: "search",
      service: "search",
      host: "search-7c9d6f8b9c-x2x9z",
      message: "heap grows rss_mb=300",
    },
  ],
  [
    "kubectl logs --timestamps",
    '2026-03-04T09:00:00Z {"level":"error","logger":"api.Cart","msg":"lost"}',
    { timestamp: at, level: "ERROR", component: "api.Cart", message: "lost" },
  ],
  [
    "a container runtime's file",
    "2026-03-04T09:00:00Z stderr F ERROR [cart] lost",
    { timestamp: at, level: "ERROR", component: "cart", message: "lost" },
  ],
  [
    "docker compose logs",
    "db-1  | 2026-03-04 09:00:00.000 UTC [31] FATAL:  sorry, too many clients already",
    { timestamp: at, level: "FATAL", component: "postgres", service: "db", message: "sorry, too many clients already" },
  ],
  [
    "docker's JSON file",
    '{"log":"ERROR disk is full\\n","stream":"stderr","time":"2026-03-04T09:00:00Z","attrs":{"tag":"ledger"}}',
    { timestamp: at, level: "ERROR", component: "ledger", message: "disk is full" },
  ],
  [
    "journalctl -o json",
    '{"__REALTIME_TIMESTAMP":"1772614800000000","_HOSTNAME":"db1","SYSLOG_IDENTIFIER":"postgres","PRIORITY":"6","MESSAGE":"ERROR:  no space"}',
    { timestamp: at, level: "ERROR", component: "postgres", service: "postgres", host: "db1", message: "no space" },
  ],
  [
    "Elastic's common schema, dotted",
    '{"@timestamp":"2026-03-04T09:00:00Z","log.level":"error","service.name":"mail","message":"lost","trace.id":"abc"}',
    { timestamp: at, level: "ERROR", component: "mail", service: "mail", trace: "abc" },
  ],
  [
    "Elastic's common schema, nested",
    '{"@timestamp":"2026-03-04T09:00:00Z","log":{"level":"warn","logger":"a.B"},"host":{"name":"n1"},"message":"slow","http":{"response":{"status_code":503}}}',
    { level: "WARN", component: "a.B", host: "n1", message: "slow", status: 503 },
  ],
  [
    "OpenTelemetry logs",
    `{"resourceLogs":[{"resource":${otlpResource},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1772614800000000000","severityNumber":17,"body":{"stringValue":"lost"},"traceId":"t1"}]}]}]}`,
    { timestamp: at, level: "ERROR", component: "cart", message: "lost", trace: "t1" },
  ],
  [
    "OpenTelemetry traces",
    `{"resourceSpans":[{"resource":${otlpResource},"scopeSpans":[{"spans":[{"name":"POST /pay","startTimeUnixNano":"1772614799500000000","endTimeUnixNano":"1772614800000000000","traceId":"t1","status":{"code":2,"message":"refused"}}]}]}]}`,
    {
      timestamp: at,
      level: "ERROR",
      component: "cart",
      message: "POST /pay took 500 ms, failed: refused",
      trace: "t1",
    },
  ],
  [
    "a web server's access log",
    '10.0.0.9 - - [04/Mar/2026:09:00:00 +0000] "GET /a HTTP/1.1" 503 12',
    { timestamp: at, level: "ERROR", status: 503, client: "10.0.0.9", host: null },
  ],
  [
    "nginx's error log",
    "2026/03/04 09:00:00 [error] 31#31: *5 upstream timed out",
    { timestamp: at, level: "ERROR", component: "nginx", message: "upstream timed out" },
  ],
  [
    "RabbitMQ",
    "2026-03-04 09:00:00.000 [warning] <0.221.0> memory alarm",
    { level: "WARN", component: "rabbitmq", message: "memory alarm" },
  ],
  [
    "Kafka",
    "[2026-03-04 09:00:00,000] WARN [ReplicaManager broker=3] Stopping (kafka.server.ReplicaManager)",
    { level: "WARN", component: "kafka.server.ReplicaManager" },
  ],
  [
    "Elasticsearch",
    "[2026-03-04T09:00:00,000][WARN ][o.e.c.r.Monitor] [es-2] disk is full",
    { level: "WARN", component: "o.e.c.r.Monitor", host: "es-2", service: "elasticsearch", message: "disk is full" },
  ],
];

describe("the fields that know it name the time, the level, the component and the machine", () => {
  test.each(rows)("%s", (_, text, expected) => {
    expect(read(text)).toMatchObject([expected]);
  });
});

test("kubectl get events -o json is a list of events, each with its lines", () => {
  const event = (name: string, count: number) => ({
    kind: "Event",
    type: "Warning",
    reason: "OOMKilling",
    message: "memory is out",
    count,
    lastTimestamp: "2026-03-04T09:00:00Z",
    involvedObject: { kind: "Pod", name },
    source: { host: "node-4" },
  });
  const items = [event("cart-7c9d6f8b9c-x2x9z", 5), event("db-0", 1)];
  const text = JSON.stringify({ apiVersion: "v1", items, kind: "List" }, null, 2);
  const events = read(text);
  expect(events).toMatchObject([
    { component: "cart", level: "WARN", timestamp: at, message: "OOMKilling: memory is out (5 times)", host: "node-4" },
    { component: "db", message: "OOMKilling: memory is out" },
  ]);
  for (const { line, lastLine, raw } of events) {
    expect(text.split("\n")[line - 1]).toBe(raw);
    expect(lastLine).toBeGreaterThan(line);
  }
});

test("pretty JSON, one object after the other, is one event each; other lines between them are events too", () => {
  const object = JSON.stringify({ level: "error", msg: "lost", tags: [{ a: 1 }] }, null, 2);
  const events = read(`${object}\n${object}\n2026-03-04 09:00:00 WARN [cart] odd one out`);
  expect(events.map(({ message }) => message)).toEqual(["lost", "lost", "odd one out"]);
});

test("each of several records of OTLP is cited by a line of its own, in one line or printed over many", () => {
  const records = ["one", "two"].map(
    (text) => `{"timeUnixNano":"1772614800000000000","body":{"stringValue":"${text}"}}`,
  );
  const text = `{"resourceLogs":[{"resource":${otlpResource},"scopeLogs":[{"logRecords":[${records.join(",")}]}]}]}`;
  const tell = (events: ReadEvent[]) => events.map(({ message, line, component }) => [message, line, component]);
  expect(tell(read(text))).toEqual([
    ["one", 1, "cart"],
    ["two", 2, "cart"],
  ]);
  const printed = JSON.stringify(JSON.parse(text), null, 2);
  const lineOf = (said: string) => printed.split("\n").findIndex((line) => line.includes(`"${said}"`)) + 1;
  expect(tell(read(printed))).toEqual([
    ["one", lineOf("one"), "cart"],
    ["two", lineOf("two"), "cart"],
  ]);
});

test("an exception is what the message says, not the component", () => {
  const [event] = read("2026-03-04 09:00:00 ERROR [session-api] ReplyError: OOM command not allowed");
  expect(event).toMatchObject({ component: "session-api", message: "ReplyError: OOM command not allowed" });
});
