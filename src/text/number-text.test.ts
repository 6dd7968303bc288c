import { expect, it } from "vitest";
import { countText, formatP, formatPoints, formatRange, formatUsd, valueText } from "./format.ts";

it("shows numbers as people read them, never a negative zero and never p = 0", () => {
  expect(formatRange({ low: -0.0004, high: 0.0123 })).toBe("0.0 to 1.2");
  expect(formatRange({ low: -0.029, high: 4 }, true)).toBe("−2.9 to 400.0");
  expect([formatPoints(0.0313), formatPoints(-0.0313), formatPoints(0.0001)]).toEqual(["+3.1", "−3.1", "±0.0"]);
  expect([formatP(1e-9), formatP(0.0404), formatP(1)]).toEqual(["< 0.001", "0.040", "1"]);
  expect([valueText(null), valueText(0.5), valueText(12, false)]).toEqual(["–", "50.0%", "12"]);
  expect([formatUsd(null), formatUsd(0), formatUsd(0.0004), formatUsd(2)]).toEqual([
    "unknown",
    "$0",
    "$0.0004",
    "$2.00",
  ]);
  expect(countText(1234567)).toBe("1\u202f234\u202f567");
});
