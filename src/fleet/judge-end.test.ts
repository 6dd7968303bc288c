import { describe, expect, it } from "vitest";
import { type ErrorCode, ParleyError } from "../contract/error.ts";
import { judgeEnd, mostFailures } from "./run-worker.ts";

const failed = (code: ErrorCode) => ({ error: new ParleyError(code, "why") });

describe("what becomes of a delivery", () => {
  it.each(["decided", "undecided", "escalated", "budget_exhausted"] as const)("a run that is %s is done", (outcome) => {
    expect(judgeEnd({ result: { outcome, reasons: [] } }, 0, 0)).toEqual({ step: "done" });
  });

  it.each([
    ["parked", { step: "done" }],
    ["interrupted", { step: "again", delayMs: 0, failures: 2 }],
    ["run_locked", { step: "again", delayMs: 3_000, failures: 2 }],
    ["lost_lease", { step: "leave" }],
    ["store_failed", { step: "leave" }],
    ["missing_key", { step: "give_up", reason: "why" }],
    ["drifted", { step: "give_up", reason: "why" }],
    ["corrupt_store", { step: "give_up", reason: "why" }],
    ["endpoint_failed", { step: "again", failures: 3 }],
  ] as const)("one that ended with %s", (code, expected) => {
    expect(judgeEnd(failed(code), 2, 0)).toMatchObject(expected);
  });

  it("a failure is tried again after a wait that doubles, and given up with its reason in the end", () => {
    const waits = Array.from({ length: mostFailures - 1 }, (_, failures) => {
      const next = judgeEnd({ result: { outcome: "failed", reasons: ["no answer"] } }, failures, 1);
      return next.step === "again" ? next.delayMs : null;
    });
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000]);
    const last = judgeEnd({ result: { outcome: "failed", reasons: ["no answer"] } }, mostFailures - 1, 1);
    expect(last).toEqual({ step: "give_up", reason: `failed ${mostFailures} times, at last: no answer` });
  });

  it("a bug is given up, and said to be one", () => {
    expect(judgeEnd({ error: new TypeError("x is not a function") }, 0, 0)).toEqual({
      step: "give_up",
      reason: "a bug in Parley: TypeError: x is not a function",
    });
  });
});
