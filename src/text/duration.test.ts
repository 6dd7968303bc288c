import { expect, it } from "vitest";
import { durationMs, formatDuration } from "./format.ts";

it.each([
  [0, "0 ms"],
  [3.24, "3.2 ms"],
  [340.4, "340 ms"],
  [999.6, "1 s"],
  [1_500, "1.5 s"],
  [90_000, "90 s"],
  [119_960, "2 min"],
  [200_000, "3 min 20 s"],
  [300_000, "5 min"],
  [7_199_600, "2 h"],
  [7_500_000, "2 h 5 min"],
])("%d milliseconds are %s", (ms, text) => expect(formatDuration(ms)).toBe(text));

it.each(["500ms", "90s", "5m", "2h"])("what is written as %s is read back", (text) => {
  const ms = durationMs(text);
  expect(ms).not.toBeNull();
  expect(
    durationMs(
      formatDuration(ms ?? 0)
        .replace("min", "m")
        .replaceAll(" ", ""),
    ),
  ).toBe(ms);
});
