import fc from "fast-check";
import { expect, it } from "vitest";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import type { JournalEntry } from "../contract/journal.ts";
import { createMemoryJournal } from "./journal.ts";
import { runDebate } from "./run-debate.ts";

const input = { question: "How many?" };
const config = { rounds: 2, speakers: ["a", "b", "c"] };
const run = (player: ReturnType<typeof playerOf>, extra = {}) =>
  runDebate({ pack: toyPack, input, config, cast: () => player, ...extra });

it("a wall-clock limit ends the debate with the standing decision", async () => {
  let now = 0;
  const player = playerOf(({ key }) => {
    now += key.round === 1 ? 1 : 2_000;
    return { value: 1 };
  });
  const { result } = await run(player, {
    budget: { wallMs: 1_000 },
    nowMs: () => now,
    config: { rounds: 3, speakers: ["a"] },
  });
  expect(result).toMatchObject({ outcome: "budget_exhausted", decision: { sum: 2 } });
});

it("a time limit longer than any timer does not end a debate at once", async () => {
  const player = playerOf(() => ({ value: 1 }));
  for (const wallMs of [2 ** 31, 3_600_000_000, 1e15]) {
    const { result } = await run(player, { budget: { wallMs } });
    expect(result.outcome).toBe("decided");
  }
});

it("a debate that goes on has only the time that it had left, also in the middle of a call", async () => {
  let now = 0;
  const slow = playerOf(() => {
    now += 59_990;
    return { value: 1 };
  });
  const entries: JournalEntry[] = [];
  const two = { budget: { wallMs: 60_000 }, config: { rounds: 2, speakers: ["a"] } };
  await run(slow, { ...two, nowMs: () => now, journal: createMemoryJournal(entries) });
  const hangs = playerOf(() => ({ value: 1 }));
  hangs.play = (_role, _input, { signal }) =>
    new Promise((_, fail) => signal.addEventListener("abort", () => fail(new Error("aborted"))));
  const { result } = await run(hangs, { ...two, journal: createMemoryJournal(entries.slice(0, 2)) });
  expect(result).toMatchObject({ outcome: "budget_exhausted", decision: { sum: 1 } });
}, 20_000);

it("a refusal for time says so in the words of --budget", async () => {
  let now = 0;
  const player = playerOf(() => {
    now += 700;
    return { value: 1 };
  });
  const { result } = await run(player, { budget: { wallMs: 500 }, nowMs: () => now });
  expect(result.reasons[0]).toMatch(/^the time limit of 500 ms ran out before /);
  expect(result.spend.refused[0]?.limit).toBe("time");
});

it("spend never passes a limit, and a debate that runs out carries the decision that stood", async () => {
  const costs = fc.array(fc.record({ worst: fc.nat(50), share: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    minLength: 1,
    maxLength: 20,
  });
  const budgets = fc.record(
    { calls: fc.nat(12), tokens: fc.nat(400), usd: fc.double({ min: 0, max: 0.4, noNaN: true }) },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(
      costs,
      budgets,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (prices, budget, rounds, speakers) => {
        let at = 0;
        const real = { calls: 0, tokens: 0, usd: 0 };
        const player = playerOf(() => ({ value: 1 }));
        player.play = async (_role, _input, turn) => {
          const price = prices[at % prices.length] ?? { worst: 1, share: 1 };
          at += 1;
          const worst = { calls: 1, tokens: price.worst, usd: price.worst / 1000 };
          const reservation = await turn.reserve(worst);
          await Promise.resolve();
          const spent = {
            calls: 1,
            tokens: Math.floor(price.worst * price.share),
            usd: (price.worst / 1000) * price.share,
          };
          real.calls += 1;
          real.tokens += spent.tokens;
          real.usd += spent.usd;
          reservation.settle(spent);
          const usage = {
            calls: 1,
            inputTokens: spent.tokens,
            outputTokens: 0,
            cachedTokens: 0,
            reasoningTokens: 0,
            costUsd: spent.usd,
          };
          return { reply: { value: { value: 1 } }, usage, finish: null };
        };
        const names = ["a", "b", "c", "d"].slice(0, speakers);
        const { result } = await run(player, { budget, config: { rounds, speakers: names } });
        expect(real.calls).toBeLessThanOrEqual(budget.calls ?? Infinity);
        expect(real.tokens).toBeLessThanOrEqual(budget.tokens ?? Infinity);
        expect(real.usd).toBeLessThanOrEqual((budget.usd ?? Infinity) + 1e-9);
        if (real.calls === rounds * speakers) expect(result.outcome).toBe("decided");
        else {
          expect(result.outcome).toBe("budget_exhausted");
          expect(result.spend.refused.length).toBeGreaterThan(0);
          const doneRounds = Math.floor(real.calls / speakers);
          if (doneRounds === 0) expect(result.decision === null || result.decision.heard.length <= speakers).toBe(true);
          else expect(result.decision).not.toBeNull();
        }
      },
    ),
    { numRuns: 300 },
  );
});
