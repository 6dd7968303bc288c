import { expect, it } from "vitest";
import { steppedClock } from "../../test/support/clock.ts";
import { createSharedLimiters, type SharedLimits, type Return, shareLifeMs } from "./shared-limiters.ts";

it("a call that leaves later than its share lives gives it back and waits for another", async () => {
  const clock = steppedClock();
  const taken: number[] = [];
  const returned: Return[] = [];
  const shared: SharedLimits = {
    async take(_name, _limits, tokens) {
      return { slot: taken.push(tokens), waitMs: 0 };
    },
    giveBack: async (_name, one) => void returned.push(one),
    pause: async () => undefined,
  };
  const limits = { concurrency: 4, requestsPerMinute: 600, tokensPerMinute: 10_000 };
  const limiter = createSharedLimiters(shared, clock).limiterFor("e", limits);
  const { signal } = new AbortController();
  const intime = await limiter.acquire(5, signal);
  await clock.advance(shareLifeMs - 1);
  await intime.leave(signal);
  expect(taken).toHaveLength(1);
  const late = await limiter.acquire(5, signal);
  const asked = taken.length;
  await clock.advance(shareLifeMs + 1);
  await late.leave(signal);
  await clock.advance(1_000);
  expect(taken.length).toBeGreaterThan(asked);
  expect(returned).toContainEqual({ slot: 2, requests: 1, tokens: 5 });
});

it("the life of a share counts from when it was asked for, however late the answer comes", async () => {
  const clock = steppedClock();
  const taken: number[] = [];
  const shared: SharedLimits = {
    take: async () => {
      if (taken.push(clock.nowMs()) === 1) await new Promise<void>((wake) => void clock.after(shareLifeMs + 1, wake));
      return { slot: taken.length, waitMs: 0 };
    },
    giveBack: async () => undefined,
    pause: async () => undefined,
  };
  const limits = { concurrency: 4, requestsPerMinute: 600, tokensPerMinute: 10_000 };
  const { signal } = new AbortController();
  const acquired = createSharedLimiters(shared, clock).limiterFor("e", limits).acquire(5, signal);
  await clock.advance(shareLifeMs + 1);
  await (await acquired).leave(signal);
  expect(taken).toEqual([0, shareLifeMs + 1]);
});
