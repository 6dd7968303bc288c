import { type Clock, processClock } from "./clock.ts";
import { createRateLimiter, type RateLimiter, type RateLimits } from "./rate-limiter.ts";

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
