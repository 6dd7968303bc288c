import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import type { WorstCase } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { Player } from "../engine/player.ts";
import { memoryStore } from "../store/sqlite.ts";
import { type BatchResult, type CaseRow, runBatch } from "./batch.ts";

/** A player that sets aside more than it then spends, as models do. */
function costlyPlayer(spent: number[], worst: WorstCase, cost: WorstCase): Player {
  const player = playerOf(() => ({ value: 1 }));
  return {
    ...player,
    async play(role, input, turn) {
      const reservation = await turn.reserve(worst);
      await Promise.resolve();
      spent.push(cost.usd ?? 0);
      reservation.settle(cost);
      return player.play(role, input, turn);
    },
  };
}

async function* rowsOf(count: number): AsyncGenerator<CaseRow> {
  for (let line = 1; line <= count; line += 1)
    yield { id: String(line), line, input: { question: `${line}?` }, problem: null };
}

type Given = { usd: number; cases?: number; concurrency?: number; store?: ReturnType<typeof memoryStore> };

async function run({ usd, cases = 12, concurrency = 4, store = memoryStore() }: Given) {
  const spent: number[] = [];
  const player = costlyPlayer(spent, { calls: 1, tokens: 10, usd: 0.03 }, { calls: 1, tokens: 5, usd: 0.01 });
  const request = { cast: "test", config: { rounds: 1, speakers: ["a"] } };
  const results: BatchResult[] = [];
  const setting = { store, castOf: async () => () => player };
  const options = { pack: toyPack, rows: rowsOf(cases), request, concurrency, budget: { usd } };
  for await (const result of runBatch(setting, options)) results.push(result);
  return { total: spent.reduce((sum, one) => sum + one, 0), results, outcomes: results.map(({ outcome }) => outcome) };
}

describe("the budget of a batch", () => {
  it("is for all cases together: what does not fit is not run, and is told apart from what failed", async () => {
    const { total, outcomes } = await run({ usd: 0.1 });
    expect(total).toBeLessThanOrEqual(0.1);
    expect(outcomes.filter((outcome) => outcome === "decided")).toHaveLength(8);
    expect(outcomes).toContain("budget_exhausted");
    expect(outcomes.at(-1)).toBe("not_run");
  });

  it("waits for what calls in flight give back before it refuses a call", async () => {
    const { outcomes } = await run({ usd: 0.05, cases: 3, concurrency: 3 });
    expect(outcomes).toEqual(["decided", "decided", "decided"]);
  });

  it("counts what earlier sessions spent, so that the same line again spends nothing more", async () => {
    const store = memoryStore();
    const first = await run({ usd: 0.1, store, concurrency: 1 });
    const again = await run({ usd: 0.1, store, concurrency: 1 });
    expect(first.total + again.total).toBeLessThanOrEqual(0.1 + 1e-9);
    const more = await run({ usd: 1, store });
    expect(more.outcomes.every((outcome) => outcome === "decided")).toBe(true);
  });

  it("counts what a case spent before it failed, when that case is run again", async () => {
    const store = memoryStore();
    const paying = costlyPlayer([], { calls: 1, tokens: 10, usd: 0.03 }, { calls: 1, tokens: 5, usd: 0.01 });
    const failing = playerOf(() => {
      throw new ParleyError("endpoint_failed", "the endpoint answered 500");
    });
    const request = { cast: "test", config: { rounds: 1, speakers: ["a", "b"] } };
    const outcomeOf = async (usd: number, second: Player): Promise<string | undefined> => {
      const setting = { store, castOf: async () => (role: string) => (role === "b" ? second : paying) };
      const options = { pack: toyPack, rows: rowsOf(1), request, concurrency: 1, budget: { usd } };
      for await (const { outcome } of runBatch(setting, options)) return outcome;
      return undefined;
    };
    expect(await outcomeOf(1, failing)).toBe("failed");
    expect(await outcomeOf(0.039, paying)).toBe("budget_exhausted");
    expect(await outcomeOf(0.04, paying)).toBe("decided");
  });

  it("is never passed, whatever its size and however many cases run at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 6 }), async (cents, concurrency) => {
        const { total } = await run({ usd: cents / 100, concurrency, cases: 8 });
        expect(total).toBeLessThanOrEqual(cents / 100 + 1e-9);
      }),
      { numRuns: 40 },
    );
  });
});
