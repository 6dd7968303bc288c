import { setTimeout as sleepFor } from "node:timers/promises";
import { ParleyError } from "../contract/error.ts";
import type { Played, Player } from "../engine/player.ts";

export type RetryOptions = {
  tries: number;
  /** The longest first wait; doubles with each try up to `maxWaitMs`. */
  firstWaitMs: number;
  maxWaitMs: number;
  /** A longer `Retry-After` is not waited for. */
  maxRetryAfterMs: number;
  random(): number;
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
};

const defaults: RetryOptions = {
  tries: 5,
  firstWaitMs: 500,
  maxWaitMs: 20_000,
  maxRetryAfterMs: 120_000,
  random: Math.random,
  sleep: (ms, signal) => sleepFor(ms, undefined, { signal }),
};

/**
 * Retries after passing trouble: an endpoint that fails or asks to wait, a connection lost before any answer. Waits
 * are fully jittered and never shorter than `Retry-After`. Each try makes its own reservation.
 */
export function withRetry(player: Player, options: Partial<RetryOptions> = {}): Player {
  const settings = { ...defaults, ...options };
  return {
    id: player.id,
    async play(role, input, turn) {
      const failed: FailureFacts[] = [];
      for (;;) {
        try {
          return withFailedCalls(await player.play(role, input, turn), failed);
        } catch (error) {
          const facts = factsOf(error);
          if (facts === null || !facts.retryable) throw error;
          failed.push(facts);
          const waitMs = computeWait(settings, failed.length, facts);
          if (waitMs === null) throw createGivingUpError(error as ParleyError, failed.length, facts, settings);
          await settings.sleep(waitMs, turn.signal).catch((reason: unknown) => {
            throw turn.signal.aborted ? createInterruption(turn.signal) : reason;
          });
        }
      }
    },
  };
}

function computeWait(settings: RetryOptions, failures: number, { retryAfterMs }: FailureFacts): number | null {
  if (failures >= settings.tries || (retryAfterMs ?? 0) > settings.maxRetryAfterMs) return null;
  const ceiling = Math.min(settings.maxWaitMs, settings.firstWaitMs * 2 ** (failures - 1));
  return (retryAfterMs ?? 0) + settings.random() * ceiling;
}

function createGivingUpError(
  error: ParleyError,
  tries: number,
  facts: FailureFacts,
  { maxRetryAfterMs }: RetryOptions,
) {
  const { status, retryAfterMs } = facts;
  const advice = status === 429 ? "; wait, lower --concurrency, or set requests_per_minute of the endpoint" : "";
  const why =
    (retryAfterMs ?? 0) > maxRetryAfterMs
      ? `it asks to wait ${Math.ceil((retryAfterMs ?? 0) / 1000)} s`
      : `given up after ${tries} ${tries === 1 ? "try" : "tries"}${advice}`;
  const { details, cause } = error;
  return new ParleyError("endpoint_failed", `${error.message} (${why})`, { details: { ...details, tries }, cause });
}

/** Counts the failed calls; the cost of a lost call is unknown, unless calls are free. */
function withFailedCalls(played: Played, failed: FailureFacts[]): Played {
  if (failed.length === 0) return played;
  const { usage } = played;
  const lost = failed.some((facts) => facts.spent === "unknown") && usage.costUsd !== 0;
  return { ...played, usage: { ...usage, calls: usage.calls + failed.length, costUsd: lost ? null : usage.costUsd } };
}

export type FailureFacts = {
  endpoint: string;
  status: number | null;
  /** Retrying may help, and cannot pay twice for an answer already on its way. */
  retryable: boolean;
  retryAfterMs: number | null;
  spent: "nothing" | "unknown";
};

export function factsOf(error: unknown): FailureFacts | null {
  return error instanceof ParleyError && error.code === "endpoint_failed" && "spent" in error.details
    ? (error.details as FailureFacts)
    : null;
}

export function createInterruption(signal: AbortSignal): ParleyError {
  const reason: unknown = signal.reason;
  if (reason instanceof ParleyError) return reason;
  return new ParleyError("interrupted", "the turn was interrupted", { cause: reason });
}

export function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw createInterruption(signal);
}
