import { type Clock, processClock } from "../../players/limits/clock.ts";
import { createRateLimiter, type RateLimiter, type RateLimits } from "../../players/limits/rate-limiter.ts";
import type { RateLimiters } from "../../players/limits/rate-limiters.ts";
import type { LimitDesk } from "./limit-desk.ts";
import { createShareLine, type ShareLine } from "./share-line.ts";

/** Limiters that hold across all workers; `close` gives back what this one did not use. */
export type SharedLimiters = RateLimiters & { close(): Promise<void> };

/** The shortest time that everybody waits after an endpoint said that it is asked too much. */
const leastPauseMs = 500;

/**
 * Requests and tokens of a minute are counted at the desk, for all workers together. How many calls are in flight is each
 * worker's own affair: it learns that from refusals. A refusal lets everybody wait for a moment.
 */
export function createSharedLimiters(desk: LimitDesk, clock: Clock = processClock): SharedLimiters {
  const limiters = new Map<string, { limiter: RateLimiter; line: ShareLine }>();
  return {
    limiterFor(endpoint, limits) {
      const name = `${endpoint} ${limits.concurrency} ${limits.requestsPerMinute} ${limits.tokensPerMinute}`;
      const line = limiters.get(name)?.line ?? createShareLine(desk, endpoint, { limits, clock });
      const limiter = limiters.get(name)?.limiter ?? createSharedLimiter(desk, endpoint, { line, limits, clock });
      limiters.set(name, { limiter, line });
      return limiter;
    },
    close: async () => void (await Promise.all([...limiters.values()].map(({ line }) => line.settled()))),
  };
}

type Parts = { line: ShareLine; limits: RateLimits; clock: Clock };

function createSharedLimiter(desk: LimitDesk, endpoint: string, { line, limits, clock }: Parts): RateLimiter {
  const unlimited = { requestsPerMinute: Infinity, tokensPerMinute: Infinity };
  const flights = createRateLimiter({ ...unlimited, concurrency: limits.concurrency }, clock);
  return {
    concurrency: flights.concurrency,
    async acquire(tokens, signal) {
      const place = await flights.acquire(tokens, signal);
      let share = await line.take(tokens, signal).catch((error: unknown) => {
        place.release("failed");
        throw error;
      });
      let charged = share.tokens;
      return {
        async leave(stopped) {
          while (share.untilMs <= clock.nowMs()) {
            line.giveBack({ slot: share.slot, requests: 1, tokens: charged });
            share = await line.take(tokens, stopped);
            charged = share.tokens;
          }
        },
        settle(used) {
          line.giveBack({ slot: share.slot, requests: 0, tokens: charged - used });
          charged = used;
        },
        release(end, pauseMs = 0) {
          place.release(end, pauseMs);
          // One that nobody hears of is said again by the next refusal.
          if (end === "throttled") void desk.pause(endpoint, Math.max(leastPauseMs, pauseMs)).catch(() => undefined);
        },
      };
    },
  };
}
