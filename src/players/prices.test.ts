import fc from "fast-check";
import { expect, test } from "vitest";
import { computeCost, computeWorstCost, findPrice, prices, PriceSchema } from "./providers.ts";

test("a dated or latest model costs what its name costs; an unknown one is unknown, not free", () => {
  expect(findPrice("openai", "gpt-5-mini-2025-08-07")).toEqual(findPrice("openai", "gpt-5-mini"));
  expect(findPrice("anthropic", "claude-haiku-4-5-20251001")).toEqual(findPrice("anthropic", "claude-haiku-4-5"));
  expect(findPrice("openai", "gpt-99")).toBeNull();
  expect(findPrice("compatible", "gpt-5-mini")).toBeNull();
  expect(computeCost(null, { inputTokens: 0, outputTokens: 0, cachedTokens: 0 })).toBeNull();
});

test("a user's price comes first, by provider and model or by model", () => {
  const mine = { input: 7, output: 8 };
  expect(findPrice("openai", "gpt-5-mini", { "openai/gpt-5-mini": mine })).toBe(mine);
  expect(findPrice("lab", "big-1", { "big-1": mine })).toBe(mine);
});

test("cached input, cache writes and long contexts have their own rates", () => {
  const price = {
    input: 2,
    output: 10,
    cached_input: 0.2,
    cache_write: 2.5,
    long_context: { over: 1000, input: 4, output: 20 },
  };
  expect(
    computeCost(price, { inputTokens: 900, outputTokens: 100, cachedTokens: 500, cacheWriteTokens: 200 }),
  ).toBeCloseTo((200 * 2 + 500 * 0.2 + 200 * 2.5 + 100 * 10) / 1e6, 12);
  expect(computeCost(price, { inputTokens: 1001, outputTokens: 100, cachedTokens: 0 })).toBeCloseTo(
    (1001 * 4 + 100 * 20) / 1e6,
    12,
  );
});

test("every row of the table is a valid price", () => {
  for (const table of Object.values(prices)) for (const price of Object.values(table)) PriceSchema.parse(price);
});

test("no call within its bounds costs more than its worst case", () => {
  const all = Object.values(prices).flatMap((table) => Object.values(table));
  fc.assert(
    fc.property(
      fc.constantFrom(...all),
      fc.nat(600_000),
      fc.nat(50_000),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (price, input, output, share) => {
        const inputTokens = Math.floor(input * share);
        const cachedTokens = Math.floor(inputTokens * share);
        const cacheWriteTokens = inputTokens - cachedTokens;
        const cost = computeCost(price, {
          inputTokens,
          outputTokens: Math.floor(output * share),
          cachedTokens,
          cacheWriteTokens,
        });
        expect(cost).toBeLessThanOrEqual((computeWorstCost(price, input, output) ?? -1) + 1e-9);
      },
    ),
  );
});
