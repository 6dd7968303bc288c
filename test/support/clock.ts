import type { Clock } from "../../src/players/rate-limiter.ts";

/** A clock that jumps to whatever is waited for. */
export function hastyClock(): Clock {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    after(ms, wake) {
      const at = nowMs + ms;
      const immediate = setImmediate(() => {
        nowMs = Math.max(nowMs, at);
        wake();
      });
      return () => clearImmediate(immediate);
    },
  };
}

/** A clock that only moves when told; timers fire in their order. */
export function steppedClock(): Clock & { advance(ms: number): Promise<void> } {
  let nowMs = 0;
  const timers = new Set<{ at: number; wake: () => void }>();
  const next = (until: number) => [...timers].filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0];
  return {
    nowMs: () => nowMs,
    after(ms, wake) {
      const timer = { at: nowMs + ms, wake };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async advance(ms) {
      await new Promise((done) => setImmediate(done));
      const until = nowMs + ms;
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        nowMs = Math.max(nowMs, timer.at);
        timers.delete(timer);
        timer.wake();
        await new Promise((done) => setImmediate(done));
      }
      nowMs = until;
      await new Promise((done) => setImmediate(done));
    },
  };
}
