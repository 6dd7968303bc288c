/** Time as those who wait see it; `after` returns how to cancel. */
export type Clock = { nowMs(): number; after(ms: number, wake: () => void): () => void };

/** The process's own clock. */
export const processClock: Clock = {
  nowMs: () => performance.now(),
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
};
