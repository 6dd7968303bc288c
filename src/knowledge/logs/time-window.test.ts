import { expect, test } from "vitest";
import { readTimePoint, resolveWindow, type TimePoint } from "./time-window.ts";

const anchors = { nowMs: Date.parse("2026-03-05T12:00:00Z"), endMs: Date.parse("2026-03-04T09:30:00Z") };
const since = (text: string) => {
  const { sinceMs } = resolveWindow({ since: readTimePoint(text) }, anchors);
  return new Date(sinceMs ?? 0).toISOString();
};

test.each([
  ["2026-03-04", "2026-03-04T00:00:00.000Z"],
  ["2026-03-04T09:04:00+01:00", "2026-03-04T08:04:00.000Z"],
  ["09:04", "2026-03-04T09:04:00.000Z"],
  ["9:04:30.5", "2026-03-04T09:04:30.500Z"],
  ["23:50", "2026-03-03T23:50:00.000Z"],
  ["10 minutes ago", "2026-03-05T11:50:00.000Z"],
  ["2h", "2026-03-05T10:00:00.000Z"],
  ["1.5 days ago", "2026-03-04T00:00:00.000Z"],
  ["10 min before end", "2026-03-04T09:20:00.000Z"],
  ["now", "2026-03-05T12:00:00.000Z"],
])("since %s", (text, expected) => expect(since(text)).toBe(expected));

test.each(["yesterday", "25:00", "9:61", "10 parsecs ago", "", "-5 minutes ago", "2026-13"])(
  "%s is no time, and the error shows some",
  (text) => expect(() => readTimePoint(text)).toThrow("10 minutes ago"),
);

test("around a time is five minutes on both sides, or as many as are asked for", () => {
  const around = readTimePoint("09:04");
  const middle = Date.parse("2026-03-04T09:04:00Z");
  expect(resolveWindow({ around }, anchors)).toEqual({ sinceMs: middle - 300_000, untilMs: middle + 300_000 });
  expect(resolveWindow({ around, withinMs: 1000 }, anchors)).toEqual({
    sinceMs: middle - 1000,
    untilMs: middle + 1000,
  });
});

test("an evening to a morning spans midnight; dates the wrong way round are refused", () => {
  const night = resolveWindow({ since: readTimePoint("23:00"), until: readTimePoint("09:00") }, anchors);
  expect(new Date(night.untilMs ?? 0).toISOString()).toBe("2026-03-04T09:00:00.000Z");
  const wrong: { since: TimePoint; until: TimePoint } = {
    since: readTimePoint("2026-03-04"),
    until: readTimePoint("2026-03-01"),
  };
  expect(() => resolveWindow(wrong, anchors)).toThrow("--until is before --since");
});

test.each([
  ["09:02", "09:01", true],
  ["08:00", "23:00", false],
  ["22:00", "23:00", false],
  ["09:02", "09:02", false],
  ["08:00", "07:30", true],
  ["2026-03-04T09:02", "09:01", true],
  ["2026-03-03T23:50", "00:10", false],
])("from %s until %s: refused %s", (from, until, isRefused) => {
  const window = { since: readTimePoint(from), until: readTimePoint(until) };
  const resolve = () => resolveWindow(window, anchors);
  if (isRefused) expect(resolve).toThrow("--until is before --since");
  else expect(resolve).not.toThrow();
});

test("a log whose end is not known ends now", () => {
  const { sinceMs } = resolveWindow({ since: readTimePoint("11:00") }, { ...anchors, endMs: null });
  expect(new Date(sinceMs ?? 0).toISOString()).toBe("2026-03-05T11:00:00.000Z");
});
