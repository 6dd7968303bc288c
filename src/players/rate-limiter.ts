import { interruption } from "./interruption.ts";

/** Limits of an endpoint; infinity does not limit. */
export type RateLimits = { concurrency: number; requestsPerMinute: number; tokensPerMinute: number };

/** Time as the limiter sees it. */
export type Clock = { nowMs(): number; after(ms: number, wake: () => void): () => void };

/** A place among the calls in flight. */
export type Slot = {
  /** Replaces the tokens that were set aside by those that were used. */
  settle(tokens: number): void;
  /** Gives the place back; a throttled call halves the concurrency, and a pause is for everyone. */
  release(end: CallEnd, pauseMs?: number): void;
};

export type CallEnd = "ok" | "throttled" | "failed";

export type RateLimiter = {
  acquire(tokens: number, signal: AbortSignal): Promise<Slot>;
  /** How many calls may be in flight now. */
  concurrency(): number;
};

type Waiting = { tokens: number; start(): void };
type Started = { atMs: number; tokens: number };

const windowMs = 60_000;

/** The process's own clock. */
export const processClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * First come, first served: at most `concurrency` calls in flight and at most so many requests and tokens started in any
 * minute. A 429 halves the concurrency (once for all calls that were in flight together); successes win it back slowly.
 */
export function createRateLimiter(limits: RateLimits, clock: Clock = processClock): RateLimiter {
  const queue: Waiting[] = [];
  const started: Started[] = [];
  let allowed = limits.concurrency;
  let inFlight = 0;
  let pausedUntilMs = -Infinity;
  let cutAtMs = -Infinity;
  let cancelTimer: (() => void) | null = null;

  /** When a call with so many tokens may start, as far as the windows know. */
  function earliestMs(tokens: number, nowMs: number): number {
    while (started[0] !== undefined && started[0].atMs <= nowMs - windowMs) started.shift();
    const byCount = started[started.length - limits.requestsPerMinute];
    let sum = Math.min(tokens, limits.tokensPerMinute);
    let byTokens: Started | undefined;
    for (let index = started.length - 1; index >= 0 && byTokens === undefined; index -= 1) {
      sum += started[index]?.tokens ?? 0;
      if (sum > limits.tokensPerMinute) byTokens = started[index];
    }
    return Math.max(pausedUntilMs, (byCount?.atMs ?? -Infinity) + windowMs, (byTokens?.atMs ?? -Infinity) + windowMs);
  }

  function pump(): void {
    cancelTimer?.();
    cancelTimer = null;
    for (let next = queue[0]; next !== undefined && inFlight < Math.floor(allowed); next = queue[0]) {
      const nowMs = clock.nowMs();
      const waitMs = earliestMs(next.tokens, nowMs) - nowMs;
      if (waitMs > 0) {
        cancelTimer = clock.after(waitMs, pump);
        return;
      }
      queue.shift();
      next.start();
    }
  }

  /** Nobody waits, and neither the concurrency nor the windows hold the call back. */
  function isFree(tokens: number): boolean {
    const nowMs = clock.nowMs();
    return queue.length === 0 && inFlight < Math.floor(allowed) && earliestMs(tokens, nowMs) <= nowMs;
  }

  function open(tokens: number): Slot {
    const entry: Started = { atMs: clock.nowMs(), tokens };
    if (limits.requestsPerMinute !== Infinity || limits.tokensPerMinute !== Infinity) started.push(entry);
    inFlight += 1;
    let released = false;
    return {
      settle: (used) => {
        entry.tokens = used;
      },
      release(end, pauseMs = 0) {
        if (released) return;
        released = true;
        pausedUntilMs = Math.max(pausedUntilMs, clock.nowMs() + pauseMs);
        if (end === "ok") speedUp();
        if (end === "throttled") slowDown(entry);
        inFlight -= 1;
        pump();
      },
    };
  }

  function speedUp(): void {
    if (allowed < limits.concurrency) allowed = Math.min(limits.concurrency, allowed + 1 / allowed);
  }

  function slowDown(entry: Started): void {
    if (entry.atMs < cutAtMs) return;
    cutAtMs = clock.nowMs();
    allowed = Math.max(1, Math.floor(Math.min(allowed, inFlight) / 2));
  }

  return {
    concurrency: () => allowed,
    acquire(tokens, signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(interruption(signal));
        if (isFree(tokens)) return resolve(open(tokens));
        const leave = (): void => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(interruption(signal));
          pump();
        };
        const waiting: Waiting = {
          tokens,
          start: () => {
            signal.removeEventListener("abort", leave);
            resolve(open(tokens));
          },
        };
        signal.addEventListener("abort", leave, { once: true });
        queue.push(waiting);
        pump();
      });
    },
  };
}
