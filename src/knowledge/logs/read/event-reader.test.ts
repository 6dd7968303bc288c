import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ReadEvent } from "../event/event.ts";
import { TimestampReader } from "./timestamps.ts";
import { LogEventReader } from "./event-reader.ts";

const trace = [
  "2024-01-02 10:00:00,000 ERROR [main] a.B: job failed",
  "java.lang.IllegalStateException: no lease",
  "\tat a.B.run(B.java:10)",
  "",
  "Caused by: java.io.IOException: broken pipe",
  "2024-01-02 10:00:01,000 INFO [main] a.B: next",
];

test("a stack trace belongs to the event before it, with its own line numbers", () => {
  const { events, reader } = read(trace);
  expect(events.map(({ line, lastLine }) => [line, lastLine])).toEqual([
    [1, 5],
    [6, 6],
  ]);
  expect(events[0]?.extra).toEqual([trace[1], trace[2], "", trace[4]]);
  expect([reader.continuationLines, reader.blankLines]).toEqual([3, 1]);
});

test("a line with another layout's timestamp begins an event, it does not continue one", () => {
  const lines = Array.from({ length: 250 }, (_, i) => `2024-01-02 10:00:00,${100 + i} INFO [m] a.B: ${i}`);
  const { events } = read([...lines, "Jun  9 06:06:20 combo kernel: oops", "Jun  9 06:06:21 combo kernel: again"]);
  expect(events).toHaveLength(252);
  expect(events.at(-1)).toMatchObject({ component: "kernel", message: "again" });
});

test("after a long banner without headers, headers are still read", () => {
  const banner = Array.from({ length: 300 }, (_, i) => `banner line ${i}`);
  const { events } = read([...banner, trace[0] ?? "", "and so on", trace[5] ?? ""]);
  expect(events).toHaveLength(303);
  expect(events.at(-1)).toMatchObject({ component: "a.B", message: "next" });
});

test("in a log without headers every line is an event, except indented ones", () => {
  const { events } = read(["starting up", "  with two workers", "ready"]);
  expect(events.map(({ message }) => message)).toEqual(["starting up", "ready"]);
});

test("when most lines are indented, indentation means nothing", () => {
  const { events } = read(["  one", "  two", "  three", "four"]);
  expect(events).toHaveLength(4);
});

test("every line is in exactly one event or blank, in order, whatever the lines are", () => {
  const line = fc.oneof(
    fc.constantFrom(...trace),
    fc.string({ maxLength: 30 }),
    fc.constantFrom("", "  ", "{", '{"msg":"x"}'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.nat(30), (lines, cut) => {
      const clean = lines.map((text) => text.replaceAll(/[\r\n]/g, " "));
      const { events, reader } = read(clean.slice(0, cut), clean.slice(cut));
      const continued = events.reduce(
        (sum, { extra }) => sum + (extra ?? []).filter((text) => /\S/.test(text)).length,
        0,
      );
      expect(events.length + continued + reader.blankLines).toBe(clean.length);
      for (const [index, event] of events.entries()) {
        expect(event.raw).toBe(clean[event.line - 1]);
        expect(event.lastLine).toBeLessThan(events[index + 1]?.line ?? clean.length + 1);
      }
    }),
  );
});

function read(...batches: string[][]): { events: ReadEvent[]; reader: LogEventReader } {
  const events: ReadEvent[] = [];
  const emit = (event: ReadEvent) => void events.push(event);
  const reader = new LogEventReader({ reader: null, times: new TimestampReader(Date.UTC(2024, 5, 1)), emit });
  for (const batch of batches) reader.add(batch);
  reader.end();
  return { events, reader };
}
