/** Operational failures; anything else is a bug and crashes with its stack. */
export type ErrorCode =
  | "bad_input"
  | "bad_config"
  | "bad_cast"
  | "not_trusted"
  | "unknown_run"
  | "duplicate_turn"
  | "drifted"
  | "not_recorded"
  | "budget_exhausted"
  | "parked"
  | "run_locked"
  | "lost_lease"
  | "store_failed"
  | "corrupt_store"
  | "endpoint_failed"
  | "missing_key"
  | "interrupted"
  | "cancelled"
  | "output_closed"
  | "write_failed"
  | "expert_failed";

/** An operational failure: `code` for programs, `message` for people (what, where, and what would be right). */
export class ParleyError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown>;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; details?: Record<string, unknown> } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ParleyError";
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** True when `error` is an operational failure with this code. */
export function hasCode(error: unknown, code: ErrorCode): error is ParleyError {
  return error instanceof ParleyError && error.code === code;
}

/** Thrown by `ask` when a role gave no valid reply, even after its repair. */
export class Abstained extends Error {
  readonly role: string;

  constructor(role: string, why: string) {
    super(`${role} abstained: ${why}`);
    this.name = "Abstained";
    this.role = role;
  }
}
