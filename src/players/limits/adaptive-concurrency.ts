/** How many calls may be in flight: fewer after a refusal, slowly more again after successes. */
export type AdaptiveConcurrency = {
  /** How many may be in flight now; only whole ones count. */
  allowed(): number;
  hasRoom(): boolean;
  enter(): void;
  leave(): void;
  /** A call succeeded. */
  speedUp(): void;
  /** A call that was started at this time was refused. */
  slowDown(startedMs: number, nowMs: number): void;
};

/** Starts with `most`; a refusal halves what was in flight, once for all calls that were in flight together. */
export function createAdaptiveConcurrency(most: number): AdaptiveConcurrency {
  let allowed = most;
  let inFlight = 0;
  let cutAtMs = -Infinity;
  return {
    allowed: () => allowed,
    hasRoom: () => inFlight < Math.floor(allowed),
    enter() {
      inFlight += 1;
    },
    leave() {
      inFlight -= 1;
    },
    speedUp() {
      if (allowed < most) allowed = Math.min(most, allowed + 1 / allowed);
    },
    slowDown(startedMs, nowMs) {
      if (startedMs < cutAtMs) return;
      cutAtMs = nowMs;
      allowed = Math.max(1, Math.floor(Math.min(allowed, inFlight) / 2));
    },
  };
}
