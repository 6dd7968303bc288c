import { expect, test } from "vitest";
import { inferLevel } from "./infer-level.ts";

test.each([
  ["warning: unknown[192.0.2.9]: login failed", "WARN"],
  ["error: could not open the key", "ERROR"],
  ["Info: retry failed once", "INFO"],
  ["fatal: no such user", "FATAL"],
  ["login of bob failed", "ERROR"],
  ["warning lights are on, and the motor failed", "ERROR"],
  ["12 WARN web request failed", "WARN"],
  ["0 errors found", null],
  ["served page 4", null],
])("%s is %s", (message, level) => expect(inferLevel(message)).toBe(level));
