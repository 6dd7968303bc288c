import { type ErrorCode, ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";

/** How a delivery ended: with the run's result, or with what stopped it. */
export type DeliveryEnd = { result: Pick<DebateResult, "outcome" | "reasons"> } | { error: unknown };

/** What becomes of a delivery. */
export type NextStep =
  | { step: "done" }
  /** Is made again after a while; `failures` counts what went wrong with the run itself. */
  | { step: "again"; delayMs: number; failures: number }
  | { step: "bury"; reason: string }
  /** Is left alone: it is not ours any more, or the database cannot be told. */
  | { step: "leave" };

/** How often a run may fail before it is buried. */
export const mostFailures = 5;

const firstDelayMs = 2_000;
const longestDelayMs = 300_000;
/** Who has the run loses it within this time, or ends it. */
const lockedDelayMs = 3_000;

/** What would be the same with every other worker and at any other time. */
const hopeless = new Set<ErrorCode>([
  "bad_input",
  "bad_config",
  "bad_cast",
  "unknown_run",
  "duplicate_turn",
  "drifted",
  "not_recorded",
  "corrupt_store",
  "missing_key",
  "script_exhausted",
  "expert_failed",
]);

/** Decides what becomes of a delivery that failed `failures` times before; `random` is a number from 0 up to 1. */
export function judgeEnd(end: DeliveryEnd, failures: number, random: number): NextStep {
  if ("result" in end) {
    const { outcome, reasons } = end.result;
    return outcome === "failed" ? tryAgain(reasons.join("; "), failures, random) : { step: "done" };
  }
  const { error } = end;
  if (!(error instanceof ParleyError)) return { step: "bury", reason: `an error of Parley's own: ${String(error)}` };
  const { code, message } = error;
  if (code === "parked") return { step: "done" };
  if (code === "interrupted") return { step: "again", delayMs: 0, failures };
  if (code === "run_locked") return { step: "again", delayMs: lockedDelayMs, failures };
  if (code === "lost_lease" || code === "store_failed") return { step: "leave" };
  return hopeless.has(code) ? { step: "bury", reason: message } : tryAgain(message, failures, random);
}

/** Waits twice as long each time, and not as long as anybody else. */
function tryAgain(reason: string, failures: number, random: number): NextStep {
  if (failures + 1 >= mostFailures) return { step: "bury", reason: `failed ${failures + 1} times, at last: ${reason}` };
  const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** failures) * (0.5 + random / 2);
  return { step: "again", delayMs, failures: failures + 1 };
}
