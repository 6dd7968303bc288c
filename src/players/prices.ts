import * as z from "zod";
import table from "../../data/prices.json" with { type: "json" };
import type { Usage } from "../contract/usage.ts";

const usdPerMillion = z.number().nonnegative();

const RatesSchema = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  /** Input that the provider had in its cache; full price when absent. */
  cached_input: usdPerMillion.optional(),
  cache_write: usdPerMillion.optional(),
});
type Rates = z.infer<typeof RatesSchema>;

/** USD per million tokens; `long_context` holds for the whole call when its input is larger than `over` tokens. */
export const PriceSchema = RatesSchema.extend({
  long_context: RatesSchema.extend({ over: z.int().positive() }).optional(),
});
export type Price = z.infer<typeof PriceSchema>;

export const freePrice: Price = { input: 0, output: 0 };

/** List prices, by provider and model, as published in autumn 2026; a user's config adds to them or replaces them. */
export const prices = table as Record<string, Record<string, Price>>;

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
