import { noCost } from "../contract/budget.ts";
import type { Player } from "../engine/player.ts";
import { createInterruption, factsOf } from "./with-retry.ts";

export type Clock = { nowMs(): number; after(ms: number, wake: () => void): () => void };

export const processClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};

export type RateLimits = { concurrency: number; requestsPerMinute: number; tokensPerMinute: number };

export type Slot = {
  /** Call when the request is sent: it counts from then on, and a late one waits again. */
  leave(signal: AbortSignal): Promise<void>;
  settle(tokens: number): void;
  /** Frees the slot, once; a pause applies to everyone. */
  release(pauseMs?: number): void;
};

export type RateLimiter = { acquire(tokens: number, signal: AbortSignal): Promise<Slot> };

type StartedCall = { atMs: number; tokens: number };

const windowMs = 60_000;

/** First come, first served: at most `concurrency` calls in flight, and limited requests and tokens per minute. */
class EndpointLimiter implements RateLimiter {
  readonly #limits: RateLimits;
  readonly #clock: Clock;
  readonly #waiting: { tokens: number; start(): void }[] = [];
  readonly #calls: StartedCall[] = [];
  #inFlight = 0;
  #pausedUntilMs = -Infinity;
  #cancelTimer: (() => void) | null = null;

  constructor(limits: RateLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  acquire(tokens: number, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(createInterruption(signal));
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(own), 1);
        reject(createInterruption(signal));
        this.#advance();
      };
      const start = (): void => {
        signal.removeEventListener("abort", leave);
        resolve(this.#begin(tokens));
      };
      const own = { tokens, start };
      this.#waiting.push(own);
      this.#advance();
      // Listening costs more than all the rest of a call that need not wait.
      if (this.#waiting.includes(own)) signal.addEventListener("abort", leave, { once: true });
    });
  }

  #advance(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const ms = this.#waitMs(next.tokens);
      if (ms > 0) {
        if (ms !== Infinity) this.#cancelTimer = this.#clock.after(ms, () => this.#advance());
        return;
      }
      this.#waiting.shift();
      next.start();
    }
  }

  #waitMs(tokens: number): number {
    if (this.#inFlight >= this.#limits.concurrency) return Infinity;
    const nowMs = this.#clock.nowMs();
    return Math.max(this.#pausedUntilMs, this.#earliestMs(tokens, nowMs)) - nowMs;
  }

  /** When a call with so many tokens may start; one that never fits waits for an empty minute. */
  #earliestMs(tokens: number, nowMs: number): number {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    const calls = this.#calls;
    while (calls[0] !== undefined && calls[0].atMs <= nowMs - windowMs) calls.shift();
    const byCount = calls[calls.length - requestsPerMinute]?.atMs ?? -Infinity;
    let sum = tokens;
    const inTheWay = calls.findLast((call) => {
      sum += call.tokens;
      return sum > tokensPerMinute;
    });
    return Math.max(byCount, inTheWay?.atMs ?? -Infinity) + windowMs;
  }

  #begin(tokens: number): Slot {
    const call: StartedCall = { atMs: this.#clock.nowMs(), tokens };
    const isLimited = this.#limits.requestsPerMinute !== Infinity || this.#limits.tokensPerMinute !== Infinity;
    if (isLimited) this.#calls.push(call);
    this.#inFlight += 1;
    return {
      leave: async () => {
        const place = this.#calls.indexOf(call);
        if (place < 0) return;
        this.#calls.splice(place, 1);
        call.atMs = this.#clock.nowMs();
        this.#calls.push(call);
      },
      settle(used) {
        call.tokens = used;
      },
      release: (pauseMs = 0) => {
        this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#clock.nowMs() + pauseMs);
        this.#inFlight -= 1;
        this.#advance();
      },
    };
  }
}

export function createRateLimiter(limits: RateLimits, clock: Clock = processClock): RateLimiter {
  return new EndpointLimiter(limits, clock);
}

export type RateLimiters = { limiterFor(endpoint: string, limits: RateLimits): RateLimiter };

/** One limiter for each endpoint and its limits. */
export function createRateLimiters(
  clock: Clock = processClock,
  create: (limits: RateLimits, endpoint: string) => RateLimiter = (limits) => createRateLimiter(limits, clock),
): RateLimiters {
  const limiters = new Map<string, RateLimiter>();
  return {
    limiterFor(endpoint, limits) {
      const name = `${endpoint} ${limits.concurrency} ${limits.requestsPerMinute} ${limits.tokensPerMinute}`;
      const known = limiters.get(name) ?? create(limits, endpoint);
      limiters.set(name, known);
      return known;
    },
  };
}

export const processLimiters: RateLimiters = createRateLimiters();

/** Waits for a slot before each call; the reservation gives its number of tokens. */
export function withRateLimit(player: Player, limiter: RateLimiter): Player {
  return {
    id: player.id,
    async play(role, input, turn) {
      let slot: Slot | null = null;
      const release = (pauseMs = 0): void => {
        slot?.release(pauseMs);
        slot = null;
      };
      const reserve: typeof turn.reserve = async (worst) => {
        release();
        const own = await limiter.acquire(worst.tokens, turn.signal);
        slot = own;
        const reservation = await turn.reserve(worst).catch((refusal: unknown) => {
          own.settle(0);
          throw refusal;
        });
        // Recording the reservation between slot and call may take any time.
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
      try {
        const played = await player.play(role, input, { ...turn, reserve });
        release();
        return played;
      } catch (error) {
        const { status = null, retryAfterMs } = factsOf(error) ?? {};
        const leastMs = status === 429 || status === 529 ? throttledMs : 0;
        const askedMs = retryAfterMs ?? 0;
        release(Math.max(leastMs, askedMs <= maxPauseMs ? askedMs : 0));
        throw error;
      }
    },
  };
}

/** The shortest pause for everyone after an endpoint throttled a call. */
const throttledMs = 500;

/** Longer pauses do not block other calls: `withRetry` gives up on the throttled call and reports the time. */
const maxPauseMs = 120_000;
