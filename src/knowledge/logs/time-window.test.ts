import { expect, test } from "vitest";
import { readTimePoint, resolveWindow } from "./time-window.ts";

const endMs = Date.parse("2026-03-04T09:30:00Z");
const print = (ms: number | undefined) => new Date(ms ?? 0).toISOString();

test.each([
  ["2026-03-04", "2026-03-04T00:00:00.000Z"],
  ["2026-03-04T09:04:00+01:00", "2026-03-04T08:04:00.000Z"],
  ["09:04", "2026-03-04T09:04:00.000Z"],
  ["9:04:30.5", "2026-03-04T09:04:30.500Z"],
  ["23:50", "2026-03-03T23:50:00.000Z"],
])("since %s", (text, expected) => {
  expect(print(resolveWindow({ since: readTimePoint(text) }, endMs).sinceMs)).toBe(expected);
});

test.each(["yesterday", "25:00", "9:61", "", "2026-13"])("%s is no time, and the error shows one", (text) =>
  expect(() => readTimePoint(text)).toThrow("10:30"),
);

test.each([
  ["23:00", "09:00", "2026-03-04T09:00:00.000Z"],
  ["08:00", "09:00", "2026-03-04T09:00:00.000Z"],
  ["09:02", "09:01", null],
  ["2026-03-04", "2026-03-01", null],
])("from %s until %s: %s", (from, until, expected) => {
  const resolve = () => resolveWindow({ since: readTimePoint(from), until: readTimePoint(until) }, endMs);
  if (expected === null) expect(resolve).toThrow("--until is before --since");
  else expect(print(resolve().untilMs)).toBe(expected);
});
