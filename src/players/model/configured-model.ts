import type { ToolSet } from "ai";
import type { Price } from "../calls/prices.ts";
import type { EmbeddingModel, LanguageModel, Traits } from "./language-model.ts";
import type { ModelSettings } from "./model-settings.ts";

/** A model at an endpoint. */
export type ConfiguredModel = {
  id: string;
  model: string;
  /** The endpoint's address, for messages. */
  endpoint: string;
  /** Loaded at the first turn. */
  load(): Promise<LanguageModel>;
  /** For a cast's embedder; a provider without embeddings has none. */
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
  /** The tools of the AI SDK that it may call in a turn. */
  tools?: ToolSet;
};
