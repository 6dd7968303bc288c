import type { Price } from "../calls/prices.ts";
import { defaultMaxReplyBytes } from "./reply-body.ts";
import type { CallOptions, EmbeddingModel, LanguageModel, Traits } from "./language-model.ts";

/** How a model is asked. */
export type ModelSettings = {
  maxOutputTokens: number;
  /** The most that a repair may have when the first reply was cut off. */
  outputCeiling: number;
  temperature: number | null;
  reasoning: CallOptions["reasoning"] | null;
  totalTimeoutMs: number;
  /** The longest silence inside a streamed reply. */
  chunkTimeoutMs: number;
  /** Whether replies are streamed; `auto` streams while someone watches and the endpoint can. */
  stream: StreamMode;
  /** The largest answer that is read, unpacked; past it the connection is cut. */
  maxReplyBytes: number;
};

export const streamModes = ["auto", "on", "off"] as const;
export type StreamMode = (typeof streamModes)[number];

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

/** A model at an endpoint. */
export type ConfiguredModel = {
  id: string;
  model: string;
  /** The endpoint's address, for messages. */
  endpoint: string;
  /** Loaded at the first turn. */
  load(): Promise<LanguageModel>;
  /** For roles that embed texts; a provider without embeddings has none. */
  loadEmbedding?(): Promise<EmbeddingModel>;
  traits: Traits;
  settings: ModelSettings;
  /** True when someone watches replies arrive. */
  isWatched: boolean;
  price: Price | null;
  keyName: string | null;
  /** What no reply may repeat, and what no error may. */
  keys: readonly string[];
  secrets: readonly string[];
};
