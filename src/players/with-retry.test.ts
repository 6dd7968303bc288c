import { describe, expect, test } from "vitest";
import { numberRole } from "../../test/support/toy.ts";
import { turnOf } from "../../test/support/turn.ts";
import { ParleyError } from "../contract/error.ts";
import { noUsage } from "../contract/budget.ts";
import type { Player } from "../engine/player.ts";
import { retryAfter } from "./endpoint-fetch.ts";
import { type FailureFacts, withRetry } from "./with-retry.ts";

const role = numberRole("a");
const input = { question: "?", heard: [] };
const busy: FailureFacts = { endpoint: "here", status: 429, retryable: true, retryAfterMs: null, spent: "nothing" };

/** A player that fails in these ways, one a call, and then answers. */
function troubled(...troubles: (Partial<FailureFacts> | Error)[]): Player & { calls: number } {
  const player = {
    id: "troubled",
    calls: 0,
    async play(_role: unknown, _input: unknown, turn: Parameters<Player["play"]>[2]) {
      const trouble = troubles[player.calls];
      player.calls += 1;
      const reservation = await turn.reserve({ calls: 1, tokens: 10, usd: 0.1 });
      if (trouble instanceof Error) throw trouble;
      if (trouble !== undefined)
        throw new ParleyError("endpoint_failed", "here: trouble", { details: { ...busy, ...trouble } });
      reservation.settle({ calls: 1, tokens: 5, usd: 0.05 });
      return { reply: { text: "{}" }, usage: { ...noUsage, calls: 1, costUsd: 0.05 }, finish: "stop" };
    },
  };
  return player;
}

function waits(random = 0.5) {
  const slept: number[] = [];
  return { slept, random: () => random, sleep: async (ms: number) => void slept.push(ms) };
}

describe("a player with retry", () => {
  test("tries again with growing, fully jittered waits, and each try reserves", async () => {
    const player = troubled({}, { status: 500 }, { status: null });
    const options = waits(0.5);
    const turn = turnOf(role, input);
    const played = await withRetry(player, { ...options, firstWaitMs: 100, maxWaitMs: 300 }).play(role, input, turn);
    expect(options.slept).toEqual([50, 100, 150]);
    expect(turn.log.reserved).toHaveLength(4);
    expect(played.usage).toMatchObject({ calls: 4, costUsd: 0.05 });
  });

  test("jitter goes from no wait at all up to the ceiling", async () => {
    for (const [random, wait] of [
      [0, 0],
      [0.999, 99.9],
    ] as const) {
      const options = waits(random);
      await withRetry(troubled({}), { ...options, firstWaitMs: 100 }).play(role, input, turnOf(role, input));
      expect(options.slept).toEqual([wait]);
    }
  });

  test("waits at least as long as the endpoint asks", async () => {
    const options = waits(0.5);
    await withRetry(troubled({ retryAfterMs: 7000 }), { ...options, firstWaitMs: 100 }).play(
      role,
      input,
      turnOf(role, input),
    );
    expect(options.slept).toEqual([7050]);
  });

  test("gives up at once when the endpoint asks for too long a wait, and says so", async () => {
    const options = waits();
    const playing = withRetry(troubled({ retryAfterMs: 3_600_000 }), options).play(role, input, turnOf(role, input));
    await expect(playing).rejects.toThrow("here: trouble (it asks to wait 3600 s)");
    expect(options.slept).toEqual([]);
  });

  test("gives up after its tries, with the number and the facts of the last failure", async () => {
    const player = troubled({}, {}, {}, {});
    const playing = withRetry(player, { ...waits(), tries: 3 }).play(role, input, turnOf(role, input));
    await expect(playing).rejects.toMatchObject({
      message:
        "here: trouble (given up after 3 tries; wait, lower --concurrency, or set requests_per_minute of the endpoint)",
      details: { status: 429, tries: 3 },
    });
    expect(player.calls).toBe(3);
  });

  test.each([
    [
      "what the endpoint means",
      new ParleyError("endpoint_failed", "no", { details: { ...busy, status: 401, retryable: false } }),
    ],
    ["a spent budget", new ParleyError("budget_exhausted", "no")],
    ["a bug", new TypeError("bug")],
  ])("does not try again after %s", async (_, error) => {
    const player = troubled(error);
    await expect(withRetry(player, waits()).play(role, input, turnOf(role, input))).rejects.toBe(error);
    expect(player.calls).toBe(1);
  });

  test("what a lost call cost is unknown", async () => {
    const played = await withRetry(troubled({ status: null, spent: "unknown" }), waits()).play(
      role,
      input,
      turnOf(role, input),
    );
    expect(played.usage).toMatchObject({ calls: 2, costUsd: null });
  });

  test("a turn that is stopped while it waits makes no further call", async () => {
    const stop = new AbortController();
    const player = troubled({}, {});
    const playing = withRetry(player, { firstWaitMs: 60_000, random: () => 1 }).play(
      role,
      input,
      turnOf(role, input, { signal: stop.signal }),
    );
    setImmediate(() => stop.abort());
    await expect(playing).rejects.toMatchObject({ code: "interrupted" });
    expect(player.calls).toBe(1);
  });
});

test.each([
  ["120", 120_000],
  ["0.5", 500],
  ["-3", 0],
  ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
  ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
  ["soon", null],
  ["", null],
  [undefined, null],
])("Retry-After %s is %s ms", (header, ms) => {
  expect(retryAfter(header, Date.parse("2026-01-01T00:00:00Z"))).toBe(ms);
});
