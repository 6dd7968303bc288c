import { noCost } from "../contract/budget.ts";
import type { Player } from "../engine/player.ts";
import { createInterruption, factsOf } from "./with-retry.ts";

/** Time as those who wait see it; `after` returns how to cancel. */
export type Clock = { nowMs(): number; after(ms: number, wake: () => void): () => void };

/** The process's own clock. */
export const processClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

/** A call by when it was started and the tokens it may use, or has used once that is known. */
export type StartedCall = { atMs: number; tokens: number };

/** The calls of the last minute, and when the next may start. */
export type MinuteWindow = {
  /** The earliest moment at which a call with so many tokens may start; it may have passed already. */
  earliestMs(tokens: number, nowMs: number): number;
  add(call: StartedCall): void;
  /** Counts a call from a later time on. */
  restart(call: StartedCall, atMs: number): void;
};

const windowMs = 60_000;

/** A window over the calls of any minute; infinity does not limit. */
export function createMinuteWindow(limits: { requestsPerMinute: number; tokensPerMinute: number }): MinuteWindow {
  const { requestsPerMinute, tokensPerMinute } = limits;
  const isLimited = requestsPerMinute !== Infinity || tokensPerMinute !== Infinity;
  /** Oldest first. */
  const calls: StartedCall[] = [];

  /** The call that must be a minute ago for the tokens to fit; a call that never fits waits for an empty window. */
  const findLastInTheWay = (tokens: number): StartedCall | undefined => {
    let sum = Math.min(tokens, tokensPerMinute);
    return calls.findLast((call) => {
      sum += call.tokens;
      return sum > tokensPerMinute;
    });
  };

  return {
    earliestMs(tokens, nowMs) {
      if (!isLimited) return -Infinity;
      while (calls[0] !== undefined && calls[0].atMs <= nowMs - windowMs) calls.shift();
      const byCount = calls[calls.length - requestsPerMinute]?.atMs ?? -Infinity;
      const byTokens = findLastInTheWay(tokens)?.atMs ?? -Infinity;
      return Math.max(byCount, byTokens) + windowMs;
    },
    add(call) {
      if (isLimited) calls.push(call);
    },
    restart(call, atMs) {
      const place = calls.indexOf(call);
      if (place < 0 || call.atMs === atMs) return;
      calls.splice(place, 1);
      calls.push(Object.assign(call, { atMs }));
    },
  };
}

/** A call that waits: exactly one of its functions is called. */
type WaitingCall = { tokens: number; start(): void; stop(): void };

/** Calls that wait for their turn, first come, first served. */
export type WaitingLine = {
  isEmpty(): boolean;
  /** Joins the line at its end, and leaves it when the signal says so. */
  join(call: WaitingCall, signal: AbortSignal): void;
  /** Starts the calls whose turn has come. */
  advance(): void;
};

/** A line whose first call starts after `waitMs` of its tokens; while that is infinite, only `advance` can help. */
export function createWaitingLine(clock: Clock, waitMs: (tokens: number) => number): WaitingLine {
  const line: WaitingCall[] = [];
  let cancelTimer: (() => void) | null = null;

  const advance = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    for (let next = line[0]; next !== undefined; next = line[0]) {
      const ms = waitMs(next.tokens);
      if (ms > 0) {
        if (ms !== Infinity) cancelTimer = clock.after(ms, advance);
        return;
      }
      line.shift();
      next.start();
    }
  };

  return {
    isEmpty: () => line.length === 0,
    join(call, signal) {
      const leave = (): void => {
        line.splice(line.indexOf(waiting), 1);
        call.stop();
        advance();
      };
      const start = (): void => {
        signal.removeEventListener("abort", leave);
        call.start();
      };
      const waiting: WaitingCall = { ...call, start };
      signal.addEventListener("abort", leave, { once: true });
      line.push(waiting);
      advance();
    },
    advance,
  };
}

/** How many calls may be in flight: fewer after a refusal, slowly more again after successes. */
export type AdaptiveConcurrency = {
  /** How many may be in flight now; only whole ones count. */
  allowed(): number;
  hasRoom(): boolean;
  enter(): void;
  leave(): void;
  /** A call succeeded. */
  speedUp(): void;
  /** A call that was started at this time was refused. */
  slowDown(startedMs: number, nowMs: number): void;
};

/** Starts with `most`; a refusal halves what was in flight, once for all calls that were in flight together. */
export function createAdaptiveConcurrency(most: number): AdaptiveConcurrency {
  let allowed = most;
  let inFlight = 0;
  let cutAtMs = -Infinity;
  return {
    allowed: () => allowed,
    hasRoom: () => inFlight < Math.floor(allowed),
    enter() {
      inFlight += 1;
    },
    leave() {
      inFlight -= 1;
    },
    speedUp() {
      if (allowed < most) allowed = Math.min(most, allowed + 1 / allowed);
    },
    slowDown(startedMs, nowMs) {
      if (startedMs < cutAtMs) return;
      cutAtMs = nowMs;
      allowed = Math.max(1, Math.floor(Math.min(allowed, inFlight) / 2));
    },
  };
}

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

/** One limiter per endpoint. */
export type RateLimiters = { limiterFor(endpoint: string, limits: RateLimits): RateLimiter };

/** Limiters by endpoint and its limits, so that runs with the same config share one. */
export function createRateLimiters(clock: Clock = processClock): RateLimiters {
  const limiters = new Map<string, RateLimiter>();
  return {
    limiterFor(endpoint, limits) {
      const name = `${endpoint} ${limits.concurrency} ${limits.requestsPerMinute} ${limits.tokensPerMinute}`;
      const known = limiters.get(name) ?? createRateLimiter(limits, clock);
      limiters.set(name, known);
      return known;
    },
  };
}

/** The limiters that all runs of this process share. */
export const processLimiters: RateLimiters = createRateLimiters();

/** Statuses with which an endpoint says that it is asked too much. */
const throttling = new Set([429, 529]);

/** Waits for a place at the endpoint before each call; the call's reservation tells how many tokens it may use. */
export function withRateLimit(player: Player, limiter: RateLimiter): Player {
  return {
    id: player.id,
    async play(role, input, turn) {
      let slot: Slot | null = null;
      const reserve: typeof turn.reserve = async (worst) => {
        slot?.release("ok");
        const own = await limiter.acquire(worst.tokens, turn.signal);
        slot = own;
        const reservation = await turn.reserve(worst).catch((refusal: unknown) => {
          own.settle(0);
          throw refusal;
        });
        // Between the place and the call the reservation was written down, which may take any time.
        await own.leave(turn.signal).catch((error: unknown) => {
          reservation.settle(noCost);
          throw error;
        });
        return {
          settle: (spent) => {
            own.settle(spent.tokens);
            reservation.settle(spent);
          },
        };
      };
      const release = (end: CallEnd, pauseMs = 0): void => slot?.release(end, pauseMs);
      try {
        const played = await player.play(role, input, { ...turn, reserve });
        release("ok");
        return played;
      } catch (error) {
        const { status = null, retryAfterMs = null } = factsOf(error) ?? {};
        const throttled = status !== null && throttling.has(status);
        const pauseMs = retryAfterMs !== null && retryAfterMs <= maxPauseMs ? retryAfterMs : 0;
        release(throttled ? "throttled" : "failed", pauseMs);
        throw error;
      }
    },
  };
}

/** A longer wait does not hold up other calls: `withRetry` gives up on the call that was told to wait, and reports the time. */
const maxPauseMs = 120_000;
