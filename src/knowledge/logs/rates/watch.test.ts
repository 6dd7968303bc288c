import { expect, test } from "vitest";
import { parseLines } from "../parse-logs.ts";
import { readRequest } from "./read-request.ts";

const second = (index: number) => new Date(Date.UTC(2026, 2, 4, 9, 0, index)).toISOString();

function writeAccess(count: number, failsFrom: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const status = index >= failsFrom && index % 9 === 0 ? 500 : 200;
    const time = `04/Mar/2026:09:${String(Math.floor(index / 60)).padStart(2, "0")}:${String(index % 60).padStart(2, "0")} +0000`;
    return `10.0.0.1 - - [${time}] "POST /login/${index} HTTP/1.1" ${status} 12`;
  });
}

test("one in nine requests failing from some time on is seen, by status and by route, with a line that shows it", async () => {
  const { watched = [] } = await parseLines(writeAccess(900, 450));
  expect(watched.find(({ name }) => name === "5xx")).toMatchObject({
    change: "started",
    reference_count: 0,
    line: 451,
  });
  expect(watched.find(({ name }) => name === "POST /login/* 5xx")).toMatchObject({ kind: "route", change: "started" });
});

test("a few failures now and then are no change", async () => {
  const lines = writeAccess(900, 1e9).map((line, index) => (index % 200 === 7 ? line.replace(" 200 ", " 500 ") : line));
  expect((await parseLines(lines)).watched).toEqual([]);
});

test("a heartbeat that stops is seen though no line tells of it", async () => {
  const lines = Array.from({ length: 600 }, (_, index) => [
    `${second(index)} INFO [web] served request ${index}`,
    ...(index % 5 === 0 && index < 300 ? [`${second(index)} INFO [sync] heartbeat ${index}`] : []),
  ]).flat();
  const { watched = [] } = await parseLines(lines);
  expect(watched.map(({ kind, change }) => `${kind} ${change}`)).toEqual(
    expect.arrayContaining(["component stopped", "template stopped"]),
  );
  expect(watched.find(({ name }) => name === "sync")?.line).toBeGreaterThan(300);
});

test("calls are found by their trace ids, with how long they take and how often they fail", async () => {
  const lines = Array.from({ length: 50 }, (_, index) => {
    const id = `trace_id=${String(index).padStart(16, "0")}`;
    const slow = index >= 25 ? 5 : 0;
    const level = index >= 25 ? "ERROR" : "INFO";
    return [
      `${second(index * 10)} INFO [web] asks for a price ${id}`,
      `${second(index * 10 + 1)} INFO [price] computes ${id}`,
      `${second(index * 10 + 2 + slow)} ${level} [web] got an answer ${id}`,
    ];
  }).flat();
  const { hops = [], events } = await parseLines(lines);
  expect(hops).toMatchObject([
    { caller: "web", callee: "price", count: 50, error_count: 25, longest_ms: 6000, change: "failing" },
  ]);
  expect(events.filter(({ why }) => why.includes("trace")).length).toBeGreaterThan(90);
});

test("times in any order and wrong clocks keep the counts", async () => {
  const lines = Array.from({ length: 300 }, (_, index) => `${second((index * 7919) % 300)} INFO [web] served ${index}`);
  const log = await parseLines(["1970-01-01T00:00:00.000Z INFO [web] booting", ...lines]);
  expect(log.totals.events).toBe(301);
  expect(log.watched).toEqual([]);
});

test.each([
  ['"POST /login HTTP/1.1" 500 12', "POST /login", 500],
  ["GET /orders/7468 200 24ms", "GET /orders/*", 200],
  ["refused connection route=/search status=502", null, 502],
  ['10.1.1.1 "GET /v2/servers/detail?x=1 HTTP/1.1" status: 200 len: 1121', "GET /v2/servers", 200],
  ["took 500 ms", null, null],
])("%s", (message, route, status) => {
  expect(readRequest(message)).toEqual({ route, status });
});
