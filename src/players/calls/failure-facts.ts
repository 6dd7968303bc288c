import { ParleyError } from "../../contract/error.ts";

/** What wrappers and the budget need to know about a failed call. */
export type FailureFacts = {
  endpoint: string;
  status: number | null;
  /** Trying again may help and cannot pay twice for an answer that was already on its way. */
  retryable: boolean;
  retryAfterMs: number | null;
  /** Whether the endpoint may charge for the call. */
  spent: "nothing" | "unknown";
};

/** The facts of a failed call, when the error is one. */
export function factsOf(error: unknown): FailureFacts | null {
  return error instanceof ParleyError && error.code === "endpoint_failed" && "spent" in error.details
    ? (error.details as FailureFacts)
    : null;
}
