import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reachMs, shareLifeMs } from "./shared-limiters.ts";
import { createSlotWindow, slotMs } from "../../test/support/slot-window.ts";

type Begun = { atMs: number; tokens: number };

/** The most calls and tokens that any minute has. */
function findFullestMinute(calls: Begun[]): { requests: number; tokens: number } {
  const sorted = calls.toSorted((a, b) => a.atMs - b.atMs);
  const full = { requests: 0, tokens: 0 };
  for (const [index, first] of sorted.entries()) {
    const minute = sorted.slice(index).filter((call) => call.atMs - first.atMs < 60_000);
    full.requests = Math.max(full.requests, minute.length);
    full.tokens = Math.max(
      full.tokens,
      minute.reduce((sum, call) => sum + call.tokens, 0),
    );
  }
  return full;
}

const steps = fc.array(
  fc.record({
    passMs: fc.oneof(fc.nat(300), fc.nat(5_000), fc.nat(90_000)),
    wanted: fc.integer({ min: 1, max: 400 }),
    /** When an allowed call begins within the life of its share, and what it really uses. */
    lateMs: fc.nat(shareLifeMs),
    used: fc.integer({ min: 0, max: 100 }),
    /** Whether a call that was allowed is not made. */
    isReturned: fc.boolean(),
  }),
  { maxLength: 200 },
);

describe("the window of a minute", () => {
  it("has no minute over the limit, wherever it begins, whatever is asked for, given back and begun late", () => {
    fc.assert(
      fc.property(
        steps,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 50, max: 1_000 }),
        (given, requests, tokens) => {
          const window = createSlotWindow({ requestsPerMinute: requests, tokensPerMinute: tokens }, reachMs);
          const begun: Begun[] = [];
          let nowMs = 1_000_000;
          for (const { passMs, wanted, lateMs, used, isReturned } of given) {
            nowMs += passMs;
            const { slot } = window.take(wanted, nowMs);
            if (slot === null) continue;
            const charged = Math.min(wanted, tokens);
            const spent = Math.floor((charged * used) / 100);
            window.giveBack({ slot, requests: isReturned ? 1 : 0, tokens: isReturned ? charged : charged - spent });
            if (!isReturned) begun.push({ atMs: nowMs + lateMs, tokens: spent });
          }
          const full = findFullestMinute(begun);
          expect(full.requests).toBeLessThanOrEqual(requests);
          expect(full.tokens).toBeLessThanOrEqual(tokens);
        },
      ),
    );
  });

  it("says how long to wait, and after that lets the next call through", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4_000), { minLength: 1, maxLength: 20 }), (gaps) => {
        const window = createSlotWindow({ requestsPerMinute: 5, tokensPerMinute: Infinity }, reachMs);
        let nowMs = 1_000_000;
        for (const gap of gaps) {
          nowMs += gap;
          const { slot, waitMs } = window.take(1, nowMs);
          if (slot === null) {
            expect(window.take(1, nowMs + waitMs - 1).slot).toBeNull();
            expect(window.take(1, nowMs + waitMs).slot).not.toBeNull();
            nowMs += waitMs;
          }
        }
      }),
    );
  });

  it("gives all calls of a minute at once, and the next ones when a share of that moment can no longer be in use", () => {
    const window = createSlotWindow({ requestsPerMinute: 3, tokensPerMinute: 1_000 }, reachMs);
    for (let n = 0; n < 3; n += 1) expect(window.take(1, 0)).toEqual({ slot: 0, waitMs: 0 });
    expect(window.take(1, 1)).toEqual({ slot: null, waitMs: slotMs + reachMs - 1 });
    expect(window.take(1, slotMs + reachMs).slot).not.toBeNull();
  });

  it("lets a call through that never fits once the minute is empty", () => {
    const window = createSlotWindow({ requestsPerMinute: 3, tokensPerMinute: 100 }, reachMs);
    expect(window.take(5_000, 0).slot).toBe(0);
    expect(window.take(1, 30_000).slot).toBeNull();
  });

  it("does not open a minute twice when the clock is set back", () => {
    const window = createSlotWindow({ requestsPerMinute: 1, tokensPerMinute: Infinity }, reachMs);
    expect(window.take(1, 100_000).slot).not.toBeNull();
    expect(window.take(1, 10_000).slot).toBeNull();
    expect(window.take(1, 100_000 + slotMs + reachMs).slot).not.toBeNull();
  });

  it("lets nobody through while it is paused", () => {
    const window = createSlotWindow({ requestsPerMinute: 9, tokensPerMinute: Infinity }, reachMs);
    window.pause(5_000);
    expect(window.take(1, 1_000)).toEqual({ slot: null, waitMs: 4_000 });
    expect(window.take(1, 5_000).slot).not.toBeNull();
  });
});
