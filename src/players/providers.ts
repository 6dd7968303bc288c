import type { OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";
import * as z from "zod";
import listPrices from "../../data/prices.json" with { type: "json" };
import table from "../../data/providers.json" with { type: "json" };
import type { Usage } from "../contract/budget.ts";
import { createEndpointFetch, defaultMaxReplyBytes } from "./endpoint-fetch.ts";

export type Address = {
  model: string;
  baseUrl: string;
  key: string | null;
  structuredOutput: boolean;
  maxReplyBytes: number;
};

type Loaded = { model: LanguageModel; embedding: EmbeddingModel | null };

/** A kind of endpoint: its address, key, request style, and SDK, loaded on first use. */
export type Provider = {
  baseUrl: string | null;
  baseUrlVariables: readonly string[];
  /** Completes a bare host; null when addresses are given in full. */
  bareHost: { port: string; path: string } | null;
  keyVariables: readonly string[];
  keyRequired: boolean;
  /** Models run on the user's machine, so no price means free. */
  isFree: boolean;
  embeds: boolean;
  traits: Traits;
  load(address: Address): Promise<Loaded>;
};

const traits: Traits = { structuredOutput: true, schemaInPrompt: false, seed: true, cacheHint: null };
const usual = { baseUrl: null, bareHost: null, keyRequired: false, isFree: false, embeds: true };

const settingsOf = ({ baseUrl, key, maxReplyBytes }: Address) => ({
  baseURL: baseUrl,
  apiKey: key ?? "",
  fetch: createEndpointFetch(maxReplyBytes),
});

const openOpenai = async (address: Address) => (await import("@ai-sdk/openai")).createOpenAI(settingsOf(address));

const sdks: Record<string, Provider["load"]> = {
  async compatible(address) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const { apiKey, ...rest } = settingsOf(address);
    const supportsStructuredOutputs = address.structuredOutput;
    const settings = { name: "compatible", includeUsage: true, supportsStructuredOutputs, ...rest };
    const sdk = createOpenAICompatible(address.key === null ? settings : { ...settings, apiKey });
    return { model: sdk.chatModel(address.model), embedding: sdk.embeddingModel(address.model) };
  },
  async openai(address) {
    const sdk = await openOpenai(address);
    return { model: sdk.chat(address.model), embedding: sdk.embeddingModel(address.model) };
  },
  async responses(address) {
    const sdk = await openOpenai(address);
    return { model: sdk.responses(address.model), embedding: sdk.embeddingModel(address.model) };
  },
  async anthropic(address) {
    const sdk = (await import("@ai-sdk/anthropic")).createAnthropic(settingsOf(address));
    return { model: sdk(address.model), embedding: null };
  },
  async google(address) {
    const sdk = (await import("@ai-sdk/google")).createGoogle(settingsOf(address));
    return { model: sdk(address.model), embedding: sdk.embeddingModel(address.model) };
  },
};

/** The built-in providers. The schema is also written into the prompt where constrained decoding does not show it to the model. */
export const providers = Object.fromEntries(
  Object.entries(table).map(([name, { sdk, ...own }]) => [
    name,
    { ...usual, ...own, traits: { ...traits, ...("traits" in own && own.traits) }, load: sdks[sdk] },
  ]),
) as unknown as Record<keyof typeof table, Provider>;

/** An endpoint with the OpenAI chat API. */
export const { compatible } = providers;

/** An endpoint known only from the config. It reads no shared variable, so no other endpoint's key can leak to it. */
export const configuredEndpoint: Provider = { ...compatible, baseUrlVariables: [], keyVariables: [] };

export function findProvider(name: string): Provider | null {
  return Object.hasOwn(providers, name) ? ((providers as Record<string, Provider>)[name] ?? null) : null;
}

const models = new Map<string, Promise<Loaded>>();

export function loadModel(name: string, provider: Provider, address: Address): Promise<Loaded> {
  const id = JSON.stringify([name, address]);
  const loading = models.get(id) ?? provider.load(address);
  models.set(id, loading);
  loading.catch(() => models.delete(id));
  return loading;
}

/**
 * The AI SDK's provider interface. Called directly instead of through `generateText`, so that raw text and usage of
 * every reply come back, valid or not, and nothing is retried or parsed.
 */
export type LanguageModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;
export type CallOptions = Parameters<LanguageModel["doGenerate"]>[0];
export type Messages = CallOptions["prompt"];
export type ModelUsage = Awaited<ReturnType<LanguageModel["doGenerate"]>>["usage"];

type Streamed = Awaited<ReturnType<LanguageModel["doStream"]>>["stream"];
export type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never;

type EmbeddingModel = ReturnType<OpenAICompatibleProvider["embeddingModel"]>;

export type Traits = {
  structuredOutput: boolean;
  schemaInPrompt: boolean;
  seed: boolean;
  /** Sends prompt parts separately, with this provider's cache hint on the last shared one. */
  cacheHint: Record<string, Record<string, { type: string }>> | null;
};

/** For an endpoint without structured output, or one that refused it. */
export function withoutStructure(given: Traits): Traits {
  return { ...given, structuredOutput: false, schemaInPrompt: true };
}

export type ConfiguredModel = {
  id: string;
  model: string;
  endpoint: string;
  load(): Promise<Loaded>;
  traits: Traits;
  settings: ModelSettings;
  isWatched: boolean;
  price: Price | null;
  keyName: string | null;
  keys: readonly string[];
  secrets: readonly string[];
};

export type ModelSettings = {
  maxOutputTokens: number;
  outputCeiling: number;
  temperature: number | null;
  reasoning: "none" | "minimal" | "low" | "medium" | "high" | null;
  totalTimeoutMs: number;
  /** The longest silence within a streamed reply. */
  chunkTimeoutMs: number;
  /** `auto` streams while someone watches and the endpoint can. */
  stream: StreamMode;
  maxReplyBytes: number;
};

export const streamModes = ["auto", "on", "off"] as const;
type StreamMode = (typeof streamModes)[number];

export const defaultSettings: ModelSettings = {
  maxOutputTokens: 8192,
  outputCeiling: 16_384,
  temperature: null,
  reasoning: null,
  totalTimeoutMs: 300_000,
  chunkTimeoutMs: 60_000,
  stream: "auto",
  maxReplyBytes: defaultMaxReplyBytes,
};

const usdPerMillion = z.number().nonnegative();

const RatesSchema = z.strictObject({
  input: usdPerMillion,
  output: usdPerMillion,
  /** For cached input; full price when absent. */
  cached_input: usdPerMillion.optional(),
  cache_write: usdPerMillion.optional(),
});
type Rates = z.infer<typeof RatesSchema>;

/** USD per million tokens; `long_context` applies to the whole call when its input exceeds `over` tokens. */
export const PriceSchema = RatesSchema.extend({
  long_context: RatesSchema.extend({ over: z.int().positive() }).optional(),
});
export type Price = z.infer<typeof PriceSchema>;

export const freePrice: Price = { input: 0, output: 0 };

/** List prices by provider and model, published in autumn 2026; the user's config extends or replaces them. */
export const prices = listPrices as Record<string, Record<string, Price>>;

/** Null when unknown. `extra` is the user's table, keyed `provider/model` or `model`. */
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

/** Computes a cost; `inputTokens` includes cached and `cacheWriteTokens`. */
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
