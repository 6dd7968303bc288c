import { setTimeout as pause } from "node:timers/promises";
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

/** How long a locked store or a full disk is waited for unless told otherwise. */
const defaultWaitMs = 30_000;

/** The pause before another try. */
export const retryMs = 100;

/**
 * Decides whether a failure of the store is worth another try. A reply that has been paid for must not be thrown away
 * because another process holds the store or the disk is full for a moment: such trouble is waited for. Once a wait has
 * been in vain, the same trouble fails at once.
 */
export class Patience {
  readonly #options: PatienceOptions;
  #sinceMs: number | null = null;
  #isOver = false;

  constructor(options: PatienceOptions = {}) {
    this.#options = options;
  }

  isWorthWaiting(error: unknown): boolean {
    const { waitMs = defaultWaitMs, signal, onWait } = this.#options;
    if (!mayPass(error) || this.#isOver || signal?.aborted) return false;
    if (this.#sinceMs === null) {
      this.#sinceMs = performance.now();
      if (waitMs > 0) onWait?.(error, waitMs);
    }
    this.#isOver = performance.now() - this.#sinceMs >= waitMs;
    return !this.#isOver;
  }

  isWaiting(): boolean {
    return this.#sinceMs !== null;
  }

  /** To be told of every success: the next trouble is a new one. */
  succeeded(): void {
    this.#sinceMs = null;
    this.#isOver = false;
  }

  /** Does work that may be done again as long as it is worth waiting. */
  async persist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const value = await work();
        this.succeeded();
        return value;
      } catch (error) {
        if (!this.isWorthWaiting(error)) throw error;
      }
      await pause(retryMs);
    }
  }
}

/** True for a lock that another process holds, for a disk that is full and for a server that is away. */
function mayPass(error: unknown): error is ParleyError {
  return error instanceof ParleyError && error.details.mayPass === true;
}
