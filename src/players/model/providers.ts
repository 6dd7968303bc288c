import { createEndpointFetch } from "./endpoint-fetch.ts";
import type { EmbeddingModel, LanguageModel, Traits } from "./language-model.ts";

/** Where a model is reached. */
export type Address = {
  model: string;
  baseUrl: string;
  key: string | null;
  structuredOutput: boolean;
  /** The largest answer that is read. */
  maxReplyBytes: number;
};

/** A kind of endpoint: where it is, what it needs, how it is asked, and its SDK, loaded when first used. */
export type Provider = {
  /** Null when only the environment or the config can say. */
  baseUrl: string | null;
  baseUrlVariables: readonly string[];
  /** What completes an address that is a bare host; null when addresses are given whole. */
  bareHost: { port: string; path: string } | null;
  keyVariables: readonly string[];
  keyRequired: boolean;
  /** Its models run on the user's own machine: one without a price costs nothing. */
  isFree: boolean;
  traits(structuredOutput: boolean): Traits;
  load(address: Address): Promise<LanguageModel>;
  /** Its embedding models; null when it has none. */
  loadEmbedding: ((address: Address) => Promise<EmbeddingModel>) | null;
};

const hostedTraits = { schemaInPrompt: false, seed: true, cacheHint: null };

/** What holds for most providers. */
const usual = { bareHost: null, isFree: false };

/** An endpoint that speaks the OpenAI chat API: the schema is also written out, since grammars do not show it to the model. */
export const compatible: Provider = {
  ...usual,
  baseUrl: null,
  baseUrlVariables: ["PARLEY_BASE_URL"],
  keyVariables: ["PARLEY_API_KEY"],
  keyRequired: false,
  traits: (structuredOutput) => ({ ...hostedTraits, structuredOutput, schemaInPrompt: true }),
  async load({ model, baseUrl, key, structuredOutput, maxReplyBytes }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const provider = createOpenAICompatible({
      name: "compatible",
      baseURL: baseUrl,
      includeUsage: true,
      supportsStructuredOutputs: structuredOutput,
      fetch: createEndpointFetch(maxReplyBytes),
      ...(key === null ? {} : { apiKey: key }),
    });
    return provider.chatModel(model);
  },
  async loadEmbedding({ model, baseUrl, key, maxReplyBytes }) {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const named = { name: "compatible", baseURL: baseUrl, fetch: createEndpointFetch(maxReplyBytes) };
    return createOpenAICompatible({ ...named, ...(key === null ? {} : { apiKey: key }) }).embeddingModel(model);
  },
};

/** An endpoint that only the config knows: no variable speaks for it, so no other endpoint's key can leak to it. */
export const configuredEndpoint: Provider = { ...compatible, baseUrlVariables: [], keyVariables: [] };

const openai: Provider = {
  ...usual,
  baseUrl: "https://api.openai.com/v1",
  baseUrlVariables: ["OPENAI_BASE_URL"],
  keyVariables: ["OPENAI_API_KEY"],
  keyRequired: true,
  traits: (structuredOutput) => ({ ...hostedTraits, structuredOutput, schemaInPrompt: !structuredOutput }),
  async load({ model, baseUrl, key, maxReplyBytes }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL: baseUrl, apiKey: key ?? "", fetch: createEndpointFetch(maxReplyBytes) }).chat(model);
  },
  async loadEmbedding({ model, baseUrl, key, maxReplyBytes }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({
      baseURL: baseUrl,
      apiKey: key ?? "",
      fetch: createEndpointFetch(maxReplyBytes),
    }).embeddingModel(model);
  },
};

/** Every kind of endpoint that a cast can name; the config adds named ones of the `compatible` kind. */
export const providers = {
  openai,
  /** OpenAI's other API, which some of its models need. */
  "openai-responses": {
    ...openai,
    traits: (structuredOutput) => ({ ...openai.traits(structuredOutput), seed: false }),
    async load({ model, baseUrl, key, maxReplyBytes }) {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI({ baseURL: baseUrl, apiKey: key ?? "", fetch: createEndpointFetch(maxReplyBytes) }).responses(
        model,
      );
    },
  },
  anthropic: {
    ...usual,
    baseUrl: "https://api.anthropic.com/v1",
    baseUrlVariables: ["ANTHROPIC_BASE_URL"],
    keyVariables: ["ANTHROPIC_API_KEY"],
    keyRequired: true,
    traits: (structuredOutput) => ({
      structuredOutput,
      schemaInPrompt: !structuredOutput,
      seed: false,
      cacheHint: { anthropic: { cacheControl: { type: "ephemeral" } } },
    }),
    async load({ model, baseUrl, key, maxReplyBytes }) {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL: baseUrl, apiKey: key ?? "", fetch: createEndpointFetch(maxReplyBytes) })(model);
    },
    loadEmbedding: null,
  },
  google: {
    ...usual,
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    baseUrlVariables: ["GOOGLE_GENERATIVE_AI_BASE_URL"],
    keyVariables: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    keyRequired: true,
    traits: (structuredOutput) => ({ ...hostedTraits, structuredOutput, schemaInPrompt: !structuredOutput }),
    async load({ model, baseUrl, key, maxReplyBytes }) {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ baseURL: baseUrl, apiKey: key ?? "", fetch: createEndpointFetch(maxReplyBytes) })(model);
    },
    async loadEmbedding({ model, baseUrl, key, maxReplyBytes }) {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({
        baseURL: baseUrl,
        apiKey: key ?? "",
        fetch: createEndpointFetch(maxReplyBytes),
      }).embeddingModel(model);
    },
  },
  ollama: {
    ...compatible,
    baseUrl: "http://127.0.0.1:11434/v1",
    baseUrlVariables: ["OLLAMA_HOST"],
    bareHost: { port: "11434", path: "/v1" },
    keyVariables: ["OLLAMA_API_KEY"],
    isFree: true,
  },
  compatible,
} satisfies Record<string, Provider>;

export const providerNames = Object.keys(providers);

/** The provider of this name, or null. */
export function findProvider(name: string): Provider | null {
  return Object.hasOwn(providers, name) ? ((providers as Record<string, Provider>)[name] ?? null) : null;
}
