import { createInterruption } from "../players/with-retry.ts";
import {
  type Clock,
  createRateLimiter,
  createRateLimiters,
  processClock,
  type RateLimiter,
  type RateLimiters,
  type RateLimits,
} from "../players/rate-limiter.ts";
import type { PostgresDatabase } from "../store/postgres.ts";

type SharedLimiters = RateLimiters & { close(): Promise<void> };

/** The shortest pause for everyone after an endpoint throttled a call. */
const leastPauseMs = 500;

/**
 * Requests and tokens per minute are counted in the database for all workers together. Each worker learns its own
 * concurrency from throttling, and a throttled call pauses everyone briefly.
 */
export function createSharedLimiters(shared: SharedLimits, clock: Clock = processClock): SharedLimiters {
  const lines: ShareLine[] = [];
  const limiters = createRateLimiters(clock, (limits, endpoint) => {
    const line = new ShareLine(shared, endpoint, { limits, clock });
    lines.push(line);
    return createSharedLimiter(shared, endpoint, { line, limits, clock });
  });
  return { ...limiters, close: async () => void (await Promise.all(lines.map((line) => line.settled()))) };
}

type Parts = { line: ShareLine; limits: RateLimits; clock: Clock };

function createSharedLimiter(shared: SharedLimits, endpoint: string, { line, limits, clock }: Parts): RateLimiter {
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
      return {
        async leave(stopped) {
          while (share.untilMs <= clock.nowMs()) {
            line.giveBack({ slot: share.slot, requests: 1, tokens: share.tokens });
            share = await line.take(tokens, stopped);
          }
        },
        settle(used) {
          line.giveBack({ slot: share.slot, requests: 0, tokens: share.tokens - used });
          share = { ...share, tokens: used };
        },
        release(end, pauseMs = 0) {
          place.release(end, pauseMs);
          // If this report is lost, the next throttled call repeats it.
          if (end === "throttled") void shared.pause(endpoint, Math.max(leastPauseMs, pauseMs)).catch(() => undefined);
        },
      };
    },
  };
}

/** An allowed call with its charged tokens and slot; it must start before `untilMs`. */
type Share = { slot: number; tokens: number; untilMs: number };
type Waiting = { tokens: number; start(share: Share): void; fail(error: unknown): void };

const collectMs = 200;

type ShareLineOptions = { limits: MinuteLimits; clock: Clock; random?(): number };

/**
 * One worker's calls at an endpoint, queueing for shares, which are requested together. A share's life starts at the
 * request on this process's clock, so it can only be too short.
 */
export class ShareLine {
  readonly #shared: SharedLimits;
  readonly #name: string;
  readonly #options: ShareLineOptions;
  readonly #waiting = new Set<Waiting>();
  #returns: Return[] = [];
  #isAsking = false;
  #sending = Promise.resolve();
  #cancelSending: (() => void) | null = null;

  constructor(shared: SharedLimits, name: string, options: ShareLineOptions) {
    this.#shared = shared;
    this.#name = name;
    this.#options = options;
  }

  async take(tokens: number, signal: AbortSignal): Promise<Share> {
    if (signal.aborted) throw createInterruption(signal);
    const { promise, resolve, reject } = Promise.withResolvers<Share>();
    const own: Waiting = { tokens, start: resolve, fail: reject };
    const leave = (): void => {
      this.#waiting.delete(own);
      reject(createInterruption(signal));
    };
    signal.addEventListener("abort", leave, { once: true });
    this.#waiting.add(own);
    void this.#askOn();
    return promise.finally(() => signal.removeEventListener("abort", leave));
  }

  giveBack(returned: Return): void {
    if (returned.requests === 0 && returned.tokens === 0) return;
    this.#returns.push(returned);
    this.#cancelSending ??= this.#options.clock.after(collectMs, () => this.#sendReturns());
  }

  async settled(): Promise<void> {
    this.#cancelSending?.();
    if (this.#returns.length > 0) this.#sendReturns();
    await this.#sending;
  }

  async #askOn(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#waiting.size > 0) {
        const waitMs = await this.#ask();
        if (waitMs > 0)
          await new Promise<void>((wake) => void this.#options.clock.after(Math.min(waitMs, 5_000), wake));
      }
    } catch (error) {
      for (const one of this.#waiting) one.fail(error);
      this.#waiting.clear();
    } finally {
      this.#isAsking = false;
    }
  }

  async #ask(): Promise<number> {
    const { limits, clock, random = Math.random } = this.#options;
    const untilMs = clock.nowMs() + shareLifeMs;
    const asked = [...this.#waiting];
    const wanted = asked.map((one) => one.tokens);
    const { granted, slot, waitMs } = await this.#shared.take(this.#name, limits, wanted);
    for (const one of asked.slice(0, granted)) {
      // A call that can never fit is charged the whole limit.
      const tokens = Math.min(one.tokens, limits.tokensPerMinute);
      if (this.#waiting.delete(one)) one.start({ slot, tokens, untilMs });
      else this.giveBack({ slot, requests: 1, tokens });
    }
    return granted === asked.length ? 0 : waitMs * (1 + random() / 2);
  }

  #sendReturns(): void {
    this.#cancelSending = null;
    const all = this.#returns;
    this.#returns = [];
    // A share that cannot be returned is lost for a minute, which is harmless.
    this.#sending = this.#shared.giveBack(this.#name, all).catch(() => undefined);
  }
}

/** The number of allowed calls (the first ones), the slot charged, and the wait for the next. */
export type Grant = { granted: number; slot: number; waitMs: number };

/** Charged calls that were not made, or charged tokens that were not used. */
export type Return = { slot: number; requests: number; tokens: number };

export type MinuteLimits = Pick<RateLimits, "requestsPerMinute" | "tokensPerMinute">;

export type SharedLimits = {
  /** Requests calls with their tokens; each must start within the life of a share. */
  take(name: string, limits: MinuteLimits, wanted: number[]): Promise<Grant>;
  giveBack(name: string, returns: Return[]): Promise<void>;
  pause(name: string, ms: number): Promise<void>;
};

export const shareLifeMs = 1_000;
/** How far back calls count: a minute plus the life of a share. */
export const reachMs = 60_000 + shareLifeMs;
/** Calls are counted per quarter of a second. */
export const slotMs = 250;

export function createPostgresLimits({ query: run, persist }: PostgresDatabase): SharedLimits {
  return {
    async take(name, { requestsPerMinute, tokensPerMinute }, wanted) {
      const limits = [requestsPerMinute, tokensPerMinute].map((most) => (most === Infinity ? null : most));
      const rows = await persist(() =>
        run<{ grant: Grant }>("SELECT take_calls($1, $2, $3, $4, $5) AS grant", [name, ...limits, reachMs, wanted]),
      );
      return rows[0]?.grant ?? { granted: 0, slot: 0, waitMs: 1_000 };
    },
    async giveBack(name, returns) {
      const column = (of: "slot" | "requests" | "tokens"): number[] => returns.map((one) => one[of]);
      await run("SELECT return_calls($1, $2, $3, $4)", [name, column("slot"), column("requests"), column("tokens")]);
    },
    async pause(name, ms) {
      await run("SELECT pause_calls($1, $2)", [name, Math.ceil(ms)]);
    },
  };
}
