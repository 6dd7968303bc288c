import type { ToolSet } from "ai";
import { ParleyError } from "../contract/error.ts";
import type { Player } from "../engine/player.ts";
import type { Price } from "./prices.ts";
import { withRetry } from "./with-retry.ts";
import { defaultSettings, type LanguageModel, type ModelSettings, type Traits } from "./providers.ts";
import { configuredPlayer } from "./model-player.ts";

/** A model object of the AI SDK, whichever provider made it. */
export type SdkModel = {
  specificationVersion: string;
  provider: string;
  modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
};

/** How a model object plays: its price, settings that differ from the defaults, and tools of the AI SDK. */
export type SdkPlayerOptions = {
  price?: Price;
  settings?: Partial<ModelSettings>;
  tools?: ToolSet;
};

/** A player of any model object of the AI SDK. Without a price its cost is unknown, and a budget in USD refuses it. */
export function modelPlayer(model: SdkModel, { price, settings, tools }: SdkPlayerOptions = {}): Player {
  if (model.specificationVersion !== "v4" && model.specificationVersion !== "v3")
    throw new ParleyError(
      "bad_cast",
      `${model.provider}/${model.modelId} is a model of the AI SDK's specification ${model.specificationVersion}; v3 and v4 can play`,
    );
  const traits: Traits = { structuredOutput: true, schemaInPrompt: false, seed: false, cacheHint: null };
  const player = configuredPlayer({
    id: `${model.provider}/${model.modelId}`,
    model: model.modelId,
    endpoint: model.provider,
    load: async () => model as unknown as LanguageModel,
    traits,
    settings: { ...defaultSettings, ...settings },
    isWatched: false,
    price: price ?? null,
    keyName: null,
    keys: [],
    secrets: [],
    ...(tools ? { tools } : {}),
  });
  return withRetry(player);
}

/** True for a model object of the AI SDK. */
export function isSdkModel(value: unknown): value is SdkModel {
  return typeof (value as SdkModel | null)?.doGenerate === "function";
}
