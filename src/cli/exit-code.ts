import { type ErrorCode, ParleyError } from "../contract/error.ts";
import type { Outcome } from "../contract/result.ts";

/** 0 ok, 1 failed, 2 bad input, 3 undecided or escalated, 4 budget; 128 and the signal's number when stopped by one. */
const byOutcome: Record<Outcome, number> = { decided: 0, failed: 1, undecided: 3, escalated: 3, budget_exhausted: 4 };

const byError: Partial<Record<ErrorCode, number>> = {
  bad_input: 2,
  bad_config: 2,
  bad_cast: 2,
  not_trusted: 2,
  missing_key: 2,
  unknown_run: 2,
  budget_exhausted: 4,
  parked: 3,
  interrupted: 130,
  output_closed: 141,
};

/** The exit code of an outcome. */
export function exitCodeOf(outcome: Outcome): number {
  return byOutcome[outcome];
}

/** The exit code of an error; anything that is not an operational failure is 1. */
export function exitCodeOfError(error: unknown): number {
  return error instanceof ParleyError ? (byError[error.code] ?? 1) : 1;
}
