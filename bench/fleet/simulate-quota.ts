import type { Clock } from "../../src/players/rate-limiter.ts";
import { type SharedLimits, reachMs, SharedLimiter } from "../../src/fleet/shared-limiters.ts";
import { createSlotWindow } from "../../test/support/slot-window.ts";
import { findFullestMinute } from "../../test/support/fullest-minute.ts";

/** What a simulation found. */
export type Simulated = {
  workers: number;
  minutes: number;
  /** Calls begun in the minutes after the first, as a share of what the quota allows. */
  utilisation: number;
  /** The most calls that began in any minute. */
  fullest: number;
  /** Questions to the database a second. */
  asked: number;
};

export type Simulation = {
  workers: number;
  requestsPerMinute: number;
  minutes: number;
  callMs: number;
  tripMs: number;
};

/** Time that goes on by milliseconds in which something happens. */
function createEventClock(): Clock & { run(untilMs: number): Promise<void> } {
  let nowMs = 0;
  const timers = new Map<number, Set<() => void>>();
  return {
    nowMs: () => nowMs,
    after(ms, wake) {
      const atMs = nowMs + Math.max(1, Math.ceil(ms));
      const due = timers.get(atMs) ?? new Set();
      timers.set(atMs, due.add(wake));
      return () => void due.delete(wake);
    },
    async run(untilMs) {
      for (await settle(); nowMs < untilMs; nowMs += 1) {
        const due = timers.get(nowMs);
        timers.delete(nowMs);
        for (const wake of due ?? []) wake();
        if (due) await settle();
      }
    },
  };
}

/** Lets everything happen that waits for nothing but its turn. */
function settle(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}

/**
 * Workers that always have a call to make, one after another, under one quota: the limiter and the rule are the real ones, the
 * database is the rule in memory behind a round trip, and time is simulated. `random` is a number from 0 up to 1.
 */
export async function simulateQuota(given: Simulation, random: () => number): Promise<Simulated> {
  const { workers, requestsPerMinute, minutes, callMs, tripMs } = given;
  const clock = createEventClock();
  const wait = (ms: number): Promise<void> => new Promise((wake) => void clock.after(ms, wake));
  const limits = { concurrency: 1, requestsPerMinute, tokensPerMinute: Infinity };
  const window = createSlotWindow(limits, reachMs);
  let asked = 0;
  const shared: SharedLimits = {
    async take(_name, _limits, wanted) {
      asked += 1;
      await wait(tripMs);
      const grant = window.take(wanted, clock.nowMs());
      await wait(tripMs);
      return grant;
    },
    async giveBack(_name, returned) {
      await wait(tripMs);
      window.giveBack(returned);
    },
    pause: async () => undefined,
  };
  const begun: number[] = [];
  const never = new AbortController().signal;
  const work = async (): Promise<never> => {
    const limiter = new SharedLimiter(shared, { name: "endpoint", limits, clock, random });
    for (;;) {
      const place = await limiter.acquire(1, never);
      begun.push(clock.nowMs());
      await wait(callMs * (0.5 + random()));
      place.release();
    }
  };
  for (let n = 0; n < workers; n += 1) void work();
  await clock.run(minutes * 60_000);
  const steady = begun.filter((ms) => ms >= 60_000).length;
  return {
    workers,
    minutes,
    utilisation: steady / (requestsPerMinute * (minutes - 1)),
    fullest: findFullestMinute(begun),
    asked: asked / (minutes * 60),
  };
}
