import type { Grant, MinuteLimits, Return } from "../../src/fleet/shared-limiters.ts";

/** Calls are counted per quarter of a second. */
export const slotMs = 250;

/** The calls of the last minute by slots: the rule that the database's function \`take_call\` follows. */
export type SlotWindow = {
  take(wanted: number, nowMs: number): Grant;
  giveBack(returned: Return): void;
  pause(untilMs: number): void;
};

/** A window over the calls of any minute. `reachMs` is how far back calls count. */
export function createSlotWindow({ requestsPerMinute, tokensPerMinute }: MinuteLimits, reachMs: number): SlotWindow {
  const slots = new Map<number, { requests: number; tokens: number }>();
  const leavesMs = (slot: number): number => (slot + 1) * slotMs + reachMs;
  let lastMs = 0;
  let pausedUntilMs = 0;

  const findWaitMs = (used: { requests: number; tokens: number }, tokens: number): number => {
    let { requests: usedRequests, tokens: usedTokens } = used;
    for (const [slot, { requests, tokens: spent }] of [...slots].toSorted(([a], [b]) => a - b)) {
      usedRequests -= requests;
      usedTokens -= spent;
      if (usedRequests + 1 <= requestsPerMinute && usedTokens + tokens <= tokensPerMinute)
        return Math.max(1, leavesMs(slot) - lastMs);
    }
    return 1_000;
  };
  return {
    take(wanted, atMs) {
      lastMs = Math.max(lastMs, atMs);
      const slot = Math.floor(lastMs / slotMs);
      if (pausedUntilMs > lastMs) return { slot: null, waitMs: pausedUntilMs - lastMs };
      for (const one of slots.keys()) if (leavesMs(one) <= lastMs) slots.delete(one);
      const used = { requests: 0, tokens: 0 };
      for (const one of slots.values()) add(used, one.requests, one.tokens);
      const tokens = Math.min(wanted, tokensPerMinute);
      if (used.requests + 1 > requestsPerMinute || used.tokens + tokens > tokensPerMinute)
        return { slot: null, waitMs: findWaitMs(used, tokens) };
      const own = slots.get(slot) ?? { requests: 0, tokens: 0 };
      add(own, 1, tokens);
      slots.set(slot, own);
      return { slot, waitMs: 0 };
    },
    giveBack({ slot, requests, tokens }) {
      const own = slots.get(slot);
      if (own) add(own, -requests, -tokens);
    },
    pause(untilMs) {
      pausedUntilMs = Math.max(pausedUntilMs, untilMs);
    },
  };
}

function add(total: { requests: number; tokens: number }, requests: number, tokens: number): void {
  total.requests += requests;
  total.tokens += tokens;
}
