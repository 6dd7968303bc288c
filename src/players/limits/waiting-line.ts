import type { Clock } from "./clock.ts";

/** A call that waits: exactly one of its functions is called. */
type WaitingCall = { tokens: number; start(): void; stop(): void };

/** Calls that wait for their turn, first come, first served. */
export type WaitingLine = {
  isEmpty(): boolean;
  /** Joins the line at its end, and leaves it when the signal says so. */
  join(call: WaitingCall, signal: AbortSignal): void;
  /** Starts the calls whose turn has come. */
  advance(): void;
};

/** A line whose first call starts after `waitMs` of its tokens; while that is infinite, only `advance` can help. */
export function createWaitingLine(clock: Clock, waitMs: (tokens: number) => number): WaitingLine {
  const line: WaitingCall[] = [];
  let cancelTimer: (() => void) | null = null;

  const advance = (): void => {
    cancelTimer?.();
    cancelTimer = null;
    for (let next = line[0]; next !== undefined; next = line[0]) {
      const ms = waitMs(next.tokens);
      if (ms > 0) {
        if (ms !== Infinity) cancelTimer = clock.after(ms, advance);
        return;
      }
      line.shift();
      next.start();
    }
  };

  return {
    isEmpty: () => line.length === 0,
    join(call, signal) {
      const leave = (): void => {
        line.splice(line.indexOf(waiting), 1);
        call.stop();
        advance();
      };
      const start = (): void => {
        signal.removeEventListener("abort", leave);
        call.start();
      };
      const waiting: WaitingCall = { ...call, start };
      signal.addEventListener("abort", leave, { once: true });
      line.push(waiting);
      advance();
    },
    advance,
  };
}
