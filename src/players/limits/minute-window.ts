/** A call by when it was started and the tokens it may use, or has used once that is known. */
export type StartedCall = { atMs: number; tokens: number };

/** The calls of the last minute, and when the next may start. */
export type MinuteWindow = {
  /** The earliest moment at which a call with so many tokens may start; it may have passed already. */
  earliestMs(tokens: number, nowMs: number): number;
  add(call: StartedCall): void;
  /** Counts a call from a later time on. */
  restart(call: StartedCall, atMs: number): void;
};

const windowMs = 60_000;

/** A window over the calls of any minute; infinity does not limit. */
export function createMinuteWindow(limits: { requestsPerMinute: number; tokensPerMinute: number }): MinuteWindow {
  const { requestsPerMinute, tokensPerMinute } = limits;
  const isLimited = requestsPerMinute !== Infinity || tokensPerMinute !== Infinity;
  /** Oldest first. */
  const calls: StartedCall[] = [];

  /** The call that must be a minute ago for the tokens to fit; a call that never fits waits for an empty window. */
  const findLastInTheWay = (tokens: number): StartedCall | undefined => {
    let sum = Math.min(tokens, tokensPerMinute);
    return calls.findLast((call) => {
      sum += call.tokens;
      return sum > tokensPerMinute;
    });
  };

  return {
    earliestMs(tokens, nowMs) {
      if (!isLimited) return -Infinity;
      while (calls[0] !== undefined && calls[0].atMs <= nowMs - windowMs) calls.shift();
      const byCount = calls[calls.length - requestsPerMinute]?.atMs ?? -Infinity;
      const byTokens = findLastInTheWay(tokens)?.atMs ?? -Infinity;
      return Math.max(byCount, byTokens) + windowMs;
    },
    add(call) {
      if (isLimited) calls.push(call);
    },
    restart(call, atMs) {
      const place = calls.indexOf(call);
      if (place < 0 || call.atMs === atMs) return;
      calls.splice(place, 1);
      calls.push(Object.assign(call, { atMs }));
    },
  };
}
