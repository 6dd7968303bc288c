import { createInterruption, throwIfInterrupted } from "../players/with-retry.ts";
import {
  type Clock,
  createRateLimiter,
  createRateLimiters,
  processClock,
  type RateLimiter,
  type RateLimiters,
  type RateLimits,
  type Slot,
} from "../players/rate-limiter.ts";
import type { PostgresDatabase } from "../store/postgres.ts";

type SharedLimiters = RateLimiters & { close(): Promise<void> };

/** Requests and tokens per minute are counted in the database for all workers together; a pause applies to all of them. */
export function createSharedLimiters(shared: SharedLimits, clock: Clock = processClock): SharedLimiters {
  const own: SharedLimiter[] = [];
  const limiters = createRateLimiters(clock, (limits, name) => {
    const limiter = new SharedLimiter(shared, { name, limits, clock });
    own.push(limiter);
    return limiter;
  });
  return { ...limiters, close: async () => void (await Promise.all(own.map((limiter) => limiter.settled()))) };
}

/** An allowed call with its charged tokens and slot; it must start before `untilMs`. */
type Share = { slot: number; tokens: number; untilMs: number };

type SharedOptions = { name: string; limits: RateLimits; clock: Clock; random?(): number };

/**
 * One worker's calls at an endpoint, which ask for their shares one after the other. A share's life starts at the
 * request on this process's clock, so it can only be too short.
 */
export class SharedLimiter implements RateLimiter {
  readonly #shared: SharedLimits;
  readonly #options: SharedOptions;
  readonly #flights: RateLimiter;
  readonly #returning = new Set<Promise<void>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(shared: SharedLimits, options: SharedOptions) {
    const { limits, clock } = options;
    this.#shared = shared;
    this.#options = options;
    this.#flights = createRateLimiter({ ...limits, requestsPerMinute: Infinity, tokensPerMinute: Infinity }, clock);
  }

  async acquire(tokens: number, signal: AbortSignal): Promise<Slot> {
    const { name, clock } = this.#options;
    const place = await this.#flights.acquire(tokens, signal);
    let share = await this.#take(tokens, signal).catch((error: unknown) => {
      place.release();
      throw error;
    });
    return {
      leave: async (stopped) => {
        while (share.untilMs <= clock.nowMs()) {
          this.#giveBack({ slot: share.slot, requests: 1, tokens: share.tokens });
          share = await this.#take(tokens, stopped);
        }
      },
      settle: (used) => {
        this.#giveBack({ slot: share.slot, requests: 0, tokens: share.tokens - used });
        share = { ...share, tokens: used };
      },
      release: (pauseMs = 0) => {
        place.release(pauseMs);
        // If this report is lost, the next throttled call repeats it.
        if (pauseMs > 0) void this.#shared.pause(name, pauseMs).catch(() => undefined);
      },
    };
  }

  async settled(): Promise<void> {
    await Promise.all(this.#returning);
  }

  #take(tokens: number, signal: AbortSignal): Promise<Share> {
    const share = this.#last.then(() => this.#ask(tokens, signal));
    this.#last = share.catch(() => undefined);
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const stop = (): void => reject(createInterruption(signal));
    signal.addEventListener("abort", stop, { once: true });
    return Promise.race([share, stopped]).finally(() => signal.removeEventListener("abort", stop));
  }

  #giveBack(returned: Return): void {
    if (returned.requests === 0 && returned.tokens === 0) return;
    // A share that cannot be returned is lost for a minute, which is harmless.
    const sending = this.#shared
      .giveBack(this.#options.name, returned)
      .catch(() => undefined)
      .finally(() => this.#returning.delete(sending));
    this.#returning.add(sending);
  }

  async #ask(tokens: number, signal: AbortSignal): Promise<Share> {
    const { name, limits, clock, random = Math.random } = this.#options;
    // A call that can never fit is charged the whole limit.
    const charged = Math.min(tokens, limits.tokensPerMinute);
    for (;;) {
      throwIfInterrupted(signal);
      const untilMs = clock.nowMs() + shareLifeMs;
      const { slot, waitMs } = await this.#shared.take(name, limits, tokens);
      if (slot === null)
        await new Promise<void>((wake) => void clock.after(Math.min(waitMs * (1 + random() / 2), 5_000), wake));
      else if (signal.aborted) this.#giveBack({ slot, requests: 1, tokens: charged });
      else return { slot, tokens: charged, untilMs };
    }
  }
}

/** The slot to which a call was charged, or null and the wait until it may be asked for again. */
export type Grant = { slot: number | null; waitMs: number };

/** A charged call that was not made, or charged tokens that were not used. */
export type Return = { slot: number; requests: number; tokens: number };

export type MinuteLimits = Pick<RateLimits, "requestsPerMinute" | "tokensPerMinute">;

export type SharedLimits = {
  /** Asks for a call with so many tokens; it must start within the life of a share. */
  take(name: string, limits: MinuteLimits, tokens: number): Promise<Grant>;
  giveBack(name: string, returned: Return): Promise<void>;
  pause(name: string, ms: number): Promise<void>;
};

export const shareLifeMs = 1_000;
/** How far back calls count: a minute plus the life of a share. */
export const reachMs = 60_000 + shareLifeMs;

export function createPostgresLimits({ query: run, persist }: PostgresDatabase): SharedLimits {
  return {
    async take(name, { requestsPerMinute, tokensPerMinute }, tokens) {
      const limits = [requestsPerMinute, tokensPerMinute].map((most) => (most === Infinity ? null : most));
      const [row] = await persist(() =>
        run<{ grant: Grant }>("SELECT take_call($1, $2, $3, $4, $5) AS grant", [name, ...limits, reachMs, tokens]),
      );
      return row?.grant ?? { slot: null, waitMs: 1_000 };
    },
    async giveBack(name, { slot, requests, tokens }) {
      const text =
        "UPDATE limit_slots SET requests = requests - $3, tokens = tokens - $4 WHERE name = $1 AND slot = $2";
      await run(text, [name, slot, requests, tokens]);
    },
    async pause(name, ms) {
      await run(
        `INSERT INTO limits AS old (name, paused_until_ms)
          VALUES ($1, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint + $2)
          ON CONFLICT (name) DO UPDATE SET paused_until_ms = greatest(old.paused_until_ms, excluded.paused_until_ms)`,
        [name, Math.ceil(ms)],
      );
    },
  };
}
