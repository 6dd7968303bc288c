import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { steppedClock } from "../../test/support/clock.ts";
import { numberRole, playerOf } from "../../test/support/toy.ts";
import { turnOf } from "../../test/support/turn.ts";
import { noCost } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { Player } from "../engine/player.ts";
import { createRateLimiter, createRateLimiters, type RateLimits, type Slot, withRateLimit } from "./rate-limiter.ts";

const free: RateLimits = { concurrency: Infinity, requestsPerMinute: Infinity, tokensPerMinute: Infinity };
const never = new AbortController().signal;
const turnOver = () => new Promise((done) => setImmediate(done));

/** A limiter on a stepped clock whose starts are written down. */
function limiterWith(limits: Partial<RateLimits>) {
  const clock = steppedClock();
  const limiter = createRateLimiter({ ...free, ...limits }, clock);
  const starts: { name: number; atMs: number; tokens: number; slot: Slot }[] = [];
  const ask = (name: number, tokens = 1, signal = never) =>
    limiter.acquire(tokens, signal).then((slot) => void starts.push({ name, atMs: clock.nowMs(), tokens, slot }));
  return { clock, limiter, starts, ask };
}

describe("the rate limiter", () => {
  test("lets no more calls be in flight than allowed, first come first served", async () => {
    const { starts, ask } = limiterWith({ concurrency: 2 });
    for (const name of [1, 2, 3, 4]) void ask(name);
    await turnOver();
    expect(starts.map((one) => one.name)).toEqual([1, 2]);
    starts[1]?.slot.release();
    await turnOver();
    expect(starts.map((one) => one.name)).toEqual([1, 2, 3]);
  });

  test("starts no more requests in any minute than allowed", async () => {
    const { clock, starts, ask } = limiterWith({ requestsPerMinute: 2 });
    for (const name of [1, 2, 3, 4, 5]) void ask(name).then(() => starts.at(-1)?.slot.release());
    await clock.advance(59_999);
    expect(starts).toHaveLength(2);
    await clock.advance(1);
    expect(starts).toHaveLength(4);
    await clock.advance(60_000);
    expect(starts).toHaveLength(5);
  });

  test("counts a call from when it leaves, not from when it got its place", async () => {
    const { clock, starts, ask } = limiterWith({ requestsPerMinute: 1 });
    void ask(1);
    await clock.advance(5_000);
    await starts[0]?.slot.leave(never);
    starts[0]?.slot.release();
    void ask(2);
    await clock.advance(59_999);
    expect(starts).toHaveLength(1);
    await clock.advance(1);
    expect(starts).toHaveLength(2);
  });

  test("a call that a player makes leaves once its reservation is recorded, however long that takes", async () => {
    const { clock, limiter, ask, starts } = limiterWith({ requestsPerMinute: 1 });
    const reserve = async () => {
      await new Promise<void>((wake) => void clock.after(5_000, wake));
      return { settle: () => undefined };
    };
    const role = numberRole("a");
    const input = { question: "How many?", heard: [] };
    void withRateLimit(
      playerOf(() => ({ value: 1 })),
      limiter,
    ).play(role, input, turnOf(role, input, { reserve }));
    await clock.advance(5_000);
    void ask(2);
    await clock.advance(59_999);
    expect(starts).toHaveLength(0);
    await clock.advance(1);
    expect(starts).toHaveLength(1);
  });

  test("counts what a call really used once it is known", async () => {
    const { clock, starts, ask } = limiterWith({ tokensPerMinute: 100 });
    void ask(1, 90);
    void ask(2, 90);
    await turnOver();
    expect(starts).toHaveLength(1);
    starts[0]?.slot.settle(5);
    starts[0]?.slot.release();
    await turnOver();
    expect(starts.map((one) => one.name)).toEqual([1, 2]);
    expect(clock.nowMs()).toBe(0);
  });

  test("a call that needs more tokens than a minute has gets a minute of its own", async () => {
    const { clock, starts, ask } = limiterWith({ tokensPerMinute: 100 });
    void ask(1, 50);
    void ask(2, 5000);
    await clock.advance(60_000);
    expect(starts.map((one) => [one.name, one.atMs])).toEqual([
      [1, 0],
      [2, 60_000],
    ]);
  });

  test("a pause that one call was given holds up all that follow", async () => {
    const { clock, starts, ask } = limiterWith({ concurrency: 2 });
    for (const name of [1, 2, 3]) void ask(name);
    await clock.advance(10);
    starts[0]?.slot.release(5000);
    starts[1]?.slot.release();
    await clock.advance(4999);
    expect(starts).toHaveLength(2);
    await clock.advance(1);
    expect(starts).toHaveLength(3);
  });

  test("a waiting call that is stopped leaves the queue and the next one moves up", async () => {
    const { starts, ask } = limiterWith({ concurrency: 1 });
    const stop = new AbortController();
    void ask(1);
    const second = ask(2, 1, stop.signal);
    void ask(3);
    await turnOver();
    stop.abort();
    await expect(second).rejects.toMatchObject({ code: "interrupted" });
    starts[0]?.slot.release();
    await turnOver();
    expect(starts.map((one) => one.name)).toEqual([1, 3]);
  });

  test("whatever comes, no limit is passed, none is forgotten and the order is kept", async () => {
    const call = fc.record({
      tokens: fc.integer({ min: 0, max: 60 }),
      tookMs: fc.nat(90_000),
      used: fc.nat(60),
      pauseMs: fc.constantFrom(0, 1000),
    });
    const limits = fc.record({
      concurrency: fc.integer({ min: 1, max: 5 }),
      requestsPerMinute: fc.integer({ min: 1, max: 6 }),
      tokensPerMinute: fc.integer({ min: 20, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(call, { maxLength: 25 }), async (limited, calls) => {
        const { clock, limiter, starts } = limiterWith(limited);
        let inFlight = 0;
        for (const [name, { tokens, tookMs, used, pauseMs }] of calls.entries()) {
          void limiter.acquire(tokens, never).then((slot) => {
            inFlight += 1;
            expect(inFlight).toBeLessThanOrEqual(limited.concurrency);
            const entry = { name, atMs: clock.nowMs(), tokens: Math.min(tokens, limited.tokensPerMinute), slot };
            starts.push(entry);
            clock.after(tookMs, () => {
              inFlight -= 1;
              entry.tokens = Math.min(used, tokens);
              slot.settle(entry.tokens);
              slot.release(pauseMs);
            });
          });
        }
        for (let n = 0; n < 400 && starts.length < calls.length; n += 1) await clock.advance(30_000);
        expect(starts.map((one) => one.name)).toEqual(calls.map((_, name) => name));
        for (const { atMs } of starts) {
          const minute = starts.filter((one) => one.atMs <= atMs && one.atMs > atMs - 60_000);
          expect(minute.length).toBeLessThanOrEqual(limited.requestsPerMinute);
          expect(minute.slice(0, -1).reduce((sum, one) => sum + one.tokens, 0)).toBeLessThanOrEqual(
            limited.tokensPerMinute,
          );
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe("a player with a rate limit", () => {
  const role = numberRole("a");
  const input = { question: "?", heard: [] };

  test("waits for its place before it reserves, and gives it back whatever happens", async () => {
    const clock = steppedClock();
    const limiter = createRateLimiter({ ...free, concurrency: 1 }, clock);
    const order: string[] = [];
    const failing = withRateLimit(
      playerOf(() => {
        throw new ParleyError("endpoint_failed", "x");
      }),
      limiter,
    );
    const first = turnOf(role, input);
    const held = await limiter.acquire(1, never);
    const playing = failing.play(role, input, first).catch(() => order.push("failed"));
    await turnOver();
    expect(first.log.reserved).toHaveLength(0);
    held.release();
    await playing;
    await withRateLimit(
      playerOf(() => ({ value: 1 })),
      limiter,
    ).play(role, input, turnOf(role, input));
    expect(order).toEqual(["failed"]);
  });

  test("frees a place once when a second call of its turn is interrupted while it waits", async () => {
    const limiter = createRateLimiter({ ...free, concurrency: 1 }, steppedClock());
    const stop = new AbortController();
    const twice: Player = {
      id: "twice",
      async play(_role, _input, turn) {
        await turn.reserve(noCost);
        void limiter.acquire(1, never);
        setImmediate(() => stop.abort());
        await turn.reserve(noCost);
        throw new Error("the second call was let through");
      },
    };
    const turn = { ...turnOf(role, input), signal: stop.signal };
    await expect(withRateLimit(twice, limiter).play(role, input, turn)).rejects.toThrow(/interrupted/);
    let isStarted = false;
    void limiter.acquire(1, never).then(() => (isStarted = true));
    await turnOver();
    expect(isStarted, "the other call still has the only place").toBe(false);
  });

  test("a call that the budget refuses uses up no tokens of the minute", async () => {
    const clock = steppedClock();
    const limiter = createRateLimiter({ ...free, tokensPerMinute: 100 }, clock);
    const paying: Player = {
      id: "p",
      play: (_role, _input, turn) => turn.reserve({ calls: 1, tokens: 90, usd: 0 }) as never,
    };
    const reserve = () => Promise.reject(new ParleyError("budget_exhausted", "no"));
    const refused = withRateLimit(paying, limiter).play(role, input, { ...turnOf(role, input), reserve });
    await expect(refused).rejects.toThrow("no");
    let isStarted = false;
    void limiter.acquire(90, never).then(() => (isStarted = true));
    await turnOver();
    expect(isStarted).toBe(true);
  });

  test.each([
    [1000, 1000],
    [null, 500],
  ])("pauses for all when one is throttled and told to wait %s ms", async (retryAfterMs, pausedMs) => {
    const clock = steppedClock();
    const limiter = createRateLimiter({ ...free, concurrency: 8 }, clock);
    const details = { endpoint: "here", status: 429, retryable: true, retryAfterMs, spent: "nothing" };
    const warned = playerOf(() => {
      throw new ParleyError("endpoint_failed", "x", { details });
    });
    await expect(withRateLimit(warned, limiter).play(role, input, turnOf(role, input))).rejects.toThrow("x");
    let isStarted = false;
    void limiter.acquire(1, never).then(() => (isStarted = true));
    await clock.advance(pausedMs - 1);
    expect(isStarted).toBe(false);
    await clock.advance(1);
    expect(isStarted).toBe(true);
  });

  test("is not held up for hours because one call was told to wait that long", async () => {
    const clock = steppedClock();
    const limiter = createRateLimiter({ ...free, concurrency: 8 }, clock);
    const details = { endpoint: "here", status: 429, retryable: true, retryAfterMs: 3_600_000, spent: "nothing" };
    const warned = playerOf(() => {
      throw new ParleyError("endpoint_failed", "x", { details });
    });
    await expect(withRateLimit(warned, limiter).play(role, input, turnOf(role, input))).rejects.toThrow("x");
    const next = limiter.acquire(1, never);
    await clock.advance(500);
    (await next).release();
  });

  test("is shared by everything that calls the same endpoint under the same limits", () => {
    const limiters = createRateLimiters();
    expect(limiters.limiterFor("a", free)).toBe(limiters.limiterFor("a", { ...free }));
    expect(limiters.limiterFor("a", free)).not.toBe(limiters.limiterFor("b", free));
  });
});
