import { expect, test } from "vitest";
import { findErrorType, namesException } from "./stack-trace.ts";

test.each([
  ["write failed: java.io.IOException: Broken pipe", null, "IOException"],
  [
    "job failed",
    ["a.b.FooException: x", "\tat a.b.C(D.java:1)", "Caused by: java.net.ConnectException: no"],
    "ConnectException",
  ],
  ["connect() failed (111: Connection refused)", null, "ConnectionRefused"],
  ["write /var/x: No space left on device", null, "DiskFull"],
  ["request timed out after 30 s", null, "Timeout"],
  ["something odd", null, null],
])("%s → %s", (message, extra, type) => {
  expect(findErrorType(message, extra)).toBe(type);
});

test("an exception in the stack makes an error of a harmless level", () => {
  expect(namesException("retrying", ["java.io.EOFException"])).toBe(true);
  expect(namesException("Errors: 0", null)).toBe(false);
});
