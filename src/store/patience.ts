import { ParleyError } from "../contract/error.ts";

/** How long a store waits for trouble to pass, and whom it tells. */
export type PatienceOptions = {
  /** How long in all, before the work fails. */
  waitMs?: number;
  /** Ends every wait. */
  signal?: AbortSignal;
  /** Told once, when a wait begins. */
  onWait?(error: ParleyError, waitMs: number): void;
};

/** Decides whether a failure of the store is worth another try. */
export type Patience = {
  isWorthWaiting(error: unknown): boolean;
  /** To be told of every success: the next trouble is a new one. */
  succeeded(): void;
  /** Reads, trying again as long as it is worth waiting. */
  read<T>(work: () => T): Promise<T>;
};

/** How long a locked store or a full disk is waited for unless told otherwise. */
export const defaultWaitMs = 30_000;

/** The pause before another try. */
export const retryMs = 100;

/**
 * A reply that has been paid for must not be thrown away because another process holds the store or the disk is full for
 * a moment: such trouble is waited for. Once a wait has been in vain, the same trouble fails at once.
 */
export function createPatience({ waitMs = defaultWaitMs, signal, onWait }: PatienceOptions = {}): Patience {
  let sinceMs: number | null = null;
  let isOver = false;
  const isWorthWaiting = (error: unknown): boolean => {
    if (!mayPass(error) || isOver || signal?.aborted) return false;
    if (sinceMs === null) {
      sinceMs = performance.now();
      if (waitMs > 0) onWait?.(error, waitMs);
    }
    isOver = performance.now() - sinceMs >= waitMs;
    return !isOver;
  };
  const succeeded = (): void => {
    sinceMs = null;
    isOver = false;
  };
  return {
    isWorthWaiting,
    succeeded,
    async read(work) {
      for (;;) {
        try {
          const value = work();
          if (sinceMs !== null) succeeded();
          return value;
        } catch (error) {
          if (!isWorthWaiting(error)) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    },
  };
}

/** True for a lock that another process holds and for a disk that is full. */
function mayPass(error: unknown): error is ParleyError {
  return error instanceof ParleyError && error.details.mayPass === true;
}
