import { createInterruption } from "../calls/interruption.ts";
import { createAdaptiveConcurrency } from "./adaptive-concurrency.ts";
import { type Clock, processClock } from "./clock.ts";
import { createMinuteWindow, type StartedCall } from "./minute-window.ts";
import { createWaitingLine } from "./waiting-line.ts";

/** Limits of an endpoint; infinity does not limit. */
export type RateLimits = { concurrency: number; requestsPerMinute: number; tokensPerMinute: number };

/** A place among the calls in flight. */
export type Slot = {
  /** To be called when the call leaves: it is counted from then on, and one that is late waits again. */
  leave(signal: AbortSignal): Promise<void>;
  /** Replaces the tokens that were set aside with those that were used. */
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

/**
 * First come, first served: at most `concurrency` calls in flight and at most so many requests and tokens started in any
 * minute. A 429 halves the concurrency (once for all calls that were in flight together); successes win it back slowly.
 */
export function createRateLimiter(limits: RateLimits, clock: Clock = processClock): RateLimiter {
  const minute = createMinuteWindow(limits);
  const flights = createAdaptiveConcurrency(limits.concurrency);
  let pausedUntilMs = -Infinity;

  const waitMs = (tokens: number): number => {
    if (!flights.hasRoom()) return Infinity;
    const nowMs = clock.nowMs();
    return Math.max(pausedUntilMs, minute.earliestMs(tokens, nowMs)) - nowMs;
  };
  const line = createWaitingLine(clock, waitMs);

  const end = (call: StartedCall, how: CallEnd, pauseMs: number): void => {
    const nowMs = clock.nowMs();
    pausedUntilMs = Math.max(pausedUntilMs, nowMs + pauseMs);
    if (how === "ok") flights.speedUp();
    if (how === "throttled") flights.slowDown(call.atMs, nowMs);
    flights.leave();
    line.advance();
  };
  const begin = (tokens: number): Slot => {
    const call: StartedCall = { atMs: clock.nowMs(), tokens };
    minute.add(call);
    flights.enter();
    const leave = async (): Promise<void> => minute.restart(call, clock.nowMs());
    return { leave, ...createSlot(call, (how, pauseMs) => end(call, how, pauseMs)) };
  };

  return {
    concurrency: flights.allowed,
    acquire: (tokens, signal) =>
      new Promise((resolve, reject) => {
        const start = (): void => resolve(begin(tokens));
        const stop = (): void => reject(createInterruption(signal));
        if (signal.aborted) stop();
        else if (line.isEmpty() && waitMs(tokens) <= 0) start();
        else line.join({ tokens, start, stop }, signal);
      }),
  };
}

/** The place of a call; it is given back only once. */
function createSlot(call: StartedCall, end: (how: CallEnd, pauseMs: number) => void): Omit<Slot, "leave"> {
  let isReleased = false;
  return {
    settle(used) {
      call.tokens = used;
    },
    release(how, pauseMs = 0) {
      if (isReleased) return;
      isReleased = true;
      end(how, pauseMs);
    },
  };
}
