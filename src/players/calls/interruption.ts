import { ParleyError } from "../../contract/error.ts";

/** The error of work that its signal stopped. */
export function createInterruption(signal: AbortSignal): ParleyError {
  const reason: unknown = signal.reason;
  if (reason instanceof ParleyError) return reason;
  return new ParleyError("interrupted", "the turn was interrupted", { cause: reason });
}

/** Throws when the signal has stopped the work. */
export function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw createInterruption(signal);
}
