import { expect, test } from "vitest";
import { parseLines } from "../../logs/index.ts";
import { analyse } from "../analysis/analyse.ts";
import { shortenWords } from "../clues/create-wording.ts";
import { findTellingLine, isFrame, rateTelling } from "./telling-line.ts";

test.each([
  ["a plain message", "payment refused", "payment refused"],
  [
    "the last Caused by",
    "Servlet threw\norg.x.WrapperException: could not open\n\tat a.b(C.java:1)\nCaused by: java.sql.SQLException: pool is empty\n\tat d.e(F.java:2)",
    "java.sql.SQLException: pool is empty",
  ],
  [
    "the exception right below the message",
    "offset commit failed\norg.q.CommitFailedException: the consumer left its group\n\tat a.b(C.java:1)",
    "org.q.CommitFailedException: the consumer left its group",
  ],
  [
    "the exception of a traceback",
    "boot failed\nTraceback (most recent call last):\n  File \"/a.py\", line 1, in f\n    g()\nKeyError: 'STRIPE_KEY'",
    "KeyError: 'STRIPE_KEY'",
  ],
  [
    "the first exception of a chain of tracebacks",
    'x\nTraceback (most recent call last):\n  File "/a.py", line 1, in f\nOSError: disk is full\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n  File "/b.py", line 2, in g\nRuntimeError: save failed',
    "OSError: disk is full",
  ],
])("the telling line of an event is %s", (_name, raw, text) => {
  expect(findTellingLine({ raw, message: raw.split("\n")[0] ?? "" }).text).toBe(text);
});

test.each(["\tat com.acme.A.b(A.java:12)", '  File "/app/x.py", line 3, in y', "Traceback (most recent call last):"])(
  "a frame tells nothing: %s",
  (line) => {
    expect(isFrame(line)).toBe(true);
    expect(rateTelling(line)).toBe(0);
  },
);

test("an exception that says what was too small tells more than the wrapper around it", () => {
  const cause = "FlavorDiskSmallerThanImage: Flavor's disk is too small for requested image";
  expect(rateTelling(cause)).toBeGreaterThan(rateTelling("Instance failed to spawn"));
});

test("of a chain of wrapped errors that is too long the end is told, and of another long line the beginning", () => {
  const chain = `RunPod: failed to create task: ${"failed to create inner task: ".repeat(8)}error mounting "settings" to "/app/settings.yaml": not a directory`;
  expect(shortenWords(chain)).toContain('error mounting "settings" to "/app/settings.yaml": not a directory');
  expect(shortenWords("could not open a.txt: no such file")).toBe("could not open a.txt: no such file");
  const long = `Worker 1, of four, stopped: ${"x".repeat(300)}`;
  expect(shortenWords(long).startsWith("Worker 1, of four, stopped")).toBe(true);
});

test("the cause is told in the log's own words, with what was said once right before it", async () => {
  const quiet = Array.from(
    { length: 60 },
    (_, at) => `2026-03-04 09:00:${String(at).padStart(2, "0")} INFO [shop] sold ${at}`,
  );
  const lines = [
    ...quiet,
    "2026-03-04 09:01:00 INFO [rollout] mirror moved to eu-2",
    ...Array.from({ length: 9 }, (_, at) => `2026-03-04 09:01:1${at} ERROR [shop] no route to host pay-7.example.com`),
  ];
  const [suspect] = analyse(await parseLines(lines, { name: "shop.log" })).suspects;
  expect(suspect?.findings[0]?.words).toBe("no route to host pay-7.example.com");
  expect(suspect?.change?.words).toBe("mirror moved to eu-2");
});

test("seldom trouble that runs through the whole log is no incident, the same trouble in a burst is one", async () => {
  const at = (second: number) =>
    `2026-03-04 09:${String(Math.floor(second / 60)).padStart(2, "0")}:${String(second % 60).padStart(2, "0")}`;
  const write = (bad: Set<number>) =>
    Array.from({ length: 300 }, (_, second) =>
      bad.has(second)
        ? `${at(second)} ERROR [shop] basket 7 was not stored`
        : `${at(second)} INFO [shop] sold ${second}`,
    );
  const scattered = analyse(await parseLines(write(new Set([20, 90, 160, 280])), { name: "a.log" }));
  const burst = analyse(
    await parseLines(write(new Set(Array.from({ length: 40 }, (_, index) => 200 + index))), { name: "b.log" }),
  );
  expect(scattered.noFault.score).toBeGreaterThan(scattered.suspects[0]?.score ?? 0);
  expect(burst.noFault.score).toBeLessThan(burst.suspects[0]?.score ?? 0);
});
