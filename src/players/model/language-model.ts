import type { OpenAICompatibleProvider } from "@ai-sdk/openai-compatible";

/**
 * The AI SDK's provider interface. Players call it directly instead of through `generateText`: the raw text and the
 * usage of every reply come back, including those that are not valid objects, and nothing is retried or parsed on the way.
 */
export type LanguageModel = ReturnType<OpenAICompatibleProvider["chatModel"]>;
export type CallOptions = Parameters<LanguageModel["doGenerate"]>[0];
export type Messages = CallOptions["prompt"];
export type ModelUsage = Awaited<ReturnType<LanguageModel["doGenerate"]>>["usage"];

type Streamed = Awaited<ReturnType<LanguageModel["doStream"]>>["stream"];
export type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never;

export type EmbeddingModel = ReturnType<OpenAICompatibleProvider["embeddingModel"]>;

/** How a provider likes to be asked. */
export type Traits = {
  /** The reply's schema is sent as the provider's own structured output. */
  structuredOutput: boolean;
  /** The reply's schema is written at the end of the prompt. */
  schemaInPrompt: boolean;
  /** The seed of the turn is sent. */
  seed: boolean;
  /** Prompt parts are sent apart, with this provider's cache hint on the last shared one. */
  cacheHint: Record<string, Record<string, { type: string }>> | null;
};
