import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { steppedClock } from "../../test/support/clock.ts";
import { numberRole, playerOf } from "../../test/support/toy.ts";
import { turnOf } from "../../test/support/turn.ts";
import { ParleyError } from "../contract/error.ts";
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
    starts[1]?.slot.release("ok");
    await turnOver();
    expect(starts.map((one) => one.name)).toEqual([1, 2, 3]);
  });

  test("starts no more requests in any minute than allowed", async () => {
    const { clock, starts, ask } = limiterWith({ requestsPerMinute: 2 });
    for (const name of [1, 2, 3, 4, 5]) void ask(name).then(() => starts.at(-1)?.slot.release("ok"));
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
    starts[0]?.slot.release("ok");
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
    starts[0]?.slot.release("ok");
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

  test("a 429 halves the concurrency, once for calls that were in flight together, and pauses as asked", async () => {
    const { clock, limiter, starts, ask } = limiterWith({ concurrency: 8 });
    for (const name of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) void ask(name);
    await clock.advance(10);
    for (const one of starts.slice(0, 8)) one.slot.release("throttled", 5000);
    expect(limiter.concurrency()).toBe(4);
    await clock.advance(4999);
    expect(starts).toHaveLength(8);
    await clock.advance(1);
    expect(starts).toHaveLength(12);
    starts[8]?.slot.release("throttled");
    expect(limiter.concurrency()).toBe(2);
  });

  test("an unlimited endpoint is held to half of what it refused", async () => {
    const { clock, limiter, starts, ask } = limiterWith({});
    for (let name = 0; name < 40; name += 1) void ask(name);
    await clock.advance(1);
    starts[0]?.slot.release("throttled");
    expect(limiter.concurrency()).toBe(20);
  });

  test("successes win the concurrency back slowly and never past the limit", async () => {
    const { clock, limiter, starts, ask } = limiterWith({ concurrency: 4 });
    const serve = async (end: "ok" | "throttled") => {
      await ask(0);
      await clock.advance(1);
      starts.at(-1)?.slot.release(end);
    };
    await serve("throttled");
    expect(limiter.concurrency()).toBe(1);
    await serve("ok");
    expect(limiter.concurrency()).toBe(2);
    await serve("ok");
    expect(limiter.concurrency()).toBe(2.5);
    for (let n = 0; n < 30; n += 1) await serve("ok");
    expect(limiter.concurrency()).toBe(4);
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
    starts[0]?.slot.release("ok");
    await turnOver();
    expect(starts.map((one) => one.name)).toEqual([1, 3]);
  });

  test("whatever comes, no limit is passed, none is forgotten and the order is kept", async () => {
    const call = fc.record({
      tokens: fc.integer({ min: 0, max: 60 }),
      tookMs: fc.nat(90_000),
      used: fc.nat(60),
      end: fc.constantFrom("ok", "throttled", "failed"),
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
        for (const [name, { tokens, tookMs, used, end }] of calls.entries()) {
          void limiter.acquire(tokens, never).then((slot) => {
            inFlight += 1;
            expect(inFlight).toBeLessThanOrEqual(limited.concurrency);
            const entry = { name, atMs: clock.nowMs(), tokens: Math.min(tokens, limited.tokensPerMinute), slot };
            starts.push(entry);
            clock.after(tookMs, () => {
              inFlight -= 1;
              entry.tokens = Math.min(used, tokens);
              slot.settle(entry.tokens);
              slot.release(end, end === "throttled" ? 1000 : 0);
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
    held.release("ok");
    await playing;
    await withRateLimit(
      playerOf(() => ({ value: 1 })),
      limiter,
    ).play(role, input, turnOf(role, input));
    expect(order).toEqual(["failed"]);
  });

  test("slows down for all when one is told to", async () => {
    const limiter = createRateLimiter({ ...free, concurrency: 8 }, steppedClock());
    const details = { endpoint: "here", status: 429, retryable: true, retryAfterMs: 1000, spent: "nothing" };
    const warned = playerOf(() => {
      throw new ParleyError("endpoint_failed", "x", { details });
    });
    await expect(withRateLimit(warned, limiter).play(role, input, turnOf(role, input))).rejects.toThrow("x");
    expect(limiter.concurrency()).toBe(1);
  });

  test("is not held up for hours because one call was told to wait that long", async () => {
    const limiter = createRateLimiter({ ...free, concurrency: 8 }, steppedClock());
    const details = { endpoint: "here", status: 429, retryable: true, retryAfterMs: 3_600_000, spent: "nothing" };
    const warned = playerOf(() => {
      throw new ParleyError("endpoint_failed", "x", { details });
    });
    await expect(withRateLimit(warned, limiter).play(role, input, turnOf(role, input))).rejects.toThrow("x");
    const next = await limiter.acquire(1, never);
    next.release("ok");
  });

  test("is shared by everything that calls the same endpoint under the same limits", () => {
    const limiters = createRateLimiters();
    expect(limiters.limiterFor("a", free)).toBe(limiters.limiterFor("a", { ...free }));
    expect(limiters.limiterFor("a", free)).not.toBe(limiters.limiterFor("b", free));
  });
});
