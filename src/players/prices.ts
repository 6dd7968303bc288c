import * as z from "zod";
import type { Usage } from "../contract/usage.ts";

const usdPerMillion = z.number().nonnegative();

const RatesSchema = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  /** Input that the provider had in its cache; full price when absent. */
  cached_input: usdPerMillion.optional(),
  /** Input that is written to the cache, where that costs extra. */
  cache_write: usdPerMillion.optional(),
});
type Rates = z.infer<typeof RatesSchema>;

/** USD per million tokens; `long_context` holds for the whole call when its input is larger than `over` tokens. */
export const PriceSchema = RatesSchema.extend({
  long_context: RatesSchema.extend({ over: z.int().positive() }).optional(),
});
export type Price = z.infer<typeof PriceSchema>;

/** The price of a model that runs on the user's own machine. */
export const freePrice: Price = { input: 0, output: 0 };

/** List prices, by provider and model, as published in autumn 2026; a user's config adds to them or replaces them. */
export const prices: Record<string, Record<string, Price>> = {
  openai: {
    "gpt-4.1": rates(2, 8, 0.5),
    "gpt-4.1-mini": rates(0.4, 1.6, 0.1),
    "gpt-4.1-nano": rates(0.1, 0.4, 0.025),
    "gpt-4o": rates(2.5, 10, 1.25),
    "gpt-4o-mini": rates(0.15, 0.6, 0.075),
    "gpt-5": rates(1.25, 10, 0.125),
    "gpt-5-mini": rates(0.25, 2, 0.025),
    "gpt-5-nano": rates(0.05, 0.4, 0.005),
    "gpt-5.1": rates(1.25, 10, 0.125),
    "gpt-5.2": rates(1.75, 14, 0.175),
    "gpt-5.4": { ...rates(2.5, 15, 0.25), long_context: { over: 272_000, ...rates(5, 22.5, 0.5) } },
    "gpt-5.4-mini": rates(0.75, 4.5, 0.075),
    "gpt-5.4-nano": rates(0.2, 1.25, 0.02),
    "gpt-5.5": { ...rates(5, 30, 0.5), long_context: { over: 272_000, ...rates(10, 45, 1) } },
    "gpt-5.6-luna": { ...rates(0.2, 1.2, 0.02, 0.25), long_context: { over: 200_000, ...rates(0.4, 1.8, 0.04, 0.5) } },
    "gpt-5.6-sol": { ...rates(5, 30, 0.5, 6.25), long_context: { over: 272_000, ...rates(10, 45, 1, 12.5) } },
    "gpt-5.6-terra": { ...rates(2, 12, 0.2, 2.5), long_context: { over: 272_000, ...rates(4, 18, 0.4, 5) } },
    o3: rates(2, 8, 0.5),
    "o4-mini": rates(1.1, 4.4, 0.275),
  },
  anthropic: {
    "claude-haiku-4-5": rates(1, 5, 0.1, 1.25),
    "claude-sonnet-4-0": rates(3, 15, 0.3, 3.75),
    "claude-sonnet-4-5": rates(3, 15, 0.3, 3.75),
    "claude-sonnet-4-6": rates(3, 15, 0.3, 3.75),
    "claude-sonnet-5": rates(2, 10, 0.2, 2.5),
    "claude-sonnet-5-5": rates(2, 10, 0.2, 2.5),
    "claude-opus-4-1": rates(15, 75, 1.5, 18.75),
    "claude-opus-4-5": rates(5, 25, 0.5, 6.25),
    "claude-opus-4-6": rates(5, 25, 0.5, 6.25),
    "claude-opus-4-7": rates(5, 25, 0.5, 6.25),
    "claude-opus-4-8": rates(5, 25, 0.5, 6.25),
    "claude-opus-5": rates(5, 25, 0.5, 6.25),
    "claude-fable-5": rates(10, 50, 1, 12.5),
  },
  google: {
    "gemini-2.5-pro": { ...rates(1.25, 10, 0.125), long_context: { over: 200_000, ...rates(2.5, 15, 0.25) } },
    "gemini-2.5-flash": rates(0.3, 2.5, 0.03),
    "gemini-2.5-flash-lite": rates(0.1, 0.4, 0.01),
    "gemini-3.1-pro-preview": { ...rates(2, 12, 0.2), long_context: { over: 200_000, ...rates(4, 18, 0.4) } },
    "gemini-3.5-flash": rates(1.5, 9, 0.15),
  },
};

/** The price of a model, or null when it is unknown. `extra` is the user's table, keyed `provider/model` or `model`. */
export function findPrice(provider: string, model: string, extra: Record<string, Price> = {}): Price | null {
  for (const name of [model, undated(model)]) {
    const price = own(extra, `${provider}/${name}`) ?? own(extra, name) ?? own(own(prices, provider) ?? {}, name);
    if (price !== undefined) return price;
  }
  return null;
}

function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What tokens cost at a price; `cacheWriteTokens` are part of `inputTokens`, as the cached ones are. */
export function computeCost(
  price: Price | null,
  used: Pick<Usage, "inputTokens" | "outputTokens" | "cachedTokens"> & { cacheWriteTokens?: number },
): number | null {
  if (price === null) return null;
  const at = pickRates(price, used.inputTokens);
  const written = used.cacheWriteTokens ?? 0;
  const fresh = Math.max(0, used.inputTokens - used.cachedTokens - written);
  const input =
    fresh * at.input + used.cachedTokens * (at.cached_input ?? at.input) + written * (at.cache_write ?? at.input);
  return (input + used.outputTokens * at.output) / 1_000_000;
}

/** The most that a call with at most so many tokens can cost. */
export function computeWorstCost(price: Price | null, inputTokens: number, outputTokens: number): number | null {
  if (price === null) return null;
  const all = inputTokens > (price.long_context?.over ?? Infinity) ? [price, price.long_context as Rates] : [price];
  const input = Math.max(...all.map((at) => Math.max(at.input, at.cache_write ?? 0, at.cached_input ?? 0)));
  const output = Math.max(...all.map((at) => at.output));
  return (inputTokens * input + outputTokens * output) / 1_000_000;
}

function pickRates(price: Price, inputTokens: number): Rates {
  return price.long_context !== undefined && inputTokens > price.long_context.over ? price.long_context : price;
}

/** `gpt-5-mini-2025-08-07` and `claude-haiku-4-5-20251001` cost what their undated names cost. */
function undated(model: string): string {
  return model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, "");
}

function rates(input: number, output: number, cached: number, write?: number): Rates {
  return { input, output, cached_input: cached, ...(write === undefined ? {} : { cache_write: write }) };
}
