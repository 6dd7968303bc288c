import { ParleyError } from "../../contract/error.ts";
import { freePrice, type Price, findPrice } from "../calls/prices.ts";
import { collectSecrets, dropPlainWords, keysOf } from "../calls/secrets.ts";
import type { RateLimits } from "../limits/rate-limiter.ts";
import { defaultSettings, type ModelSettings } from "../model/model-settings.ts";
import { type ConfiguredModel } from "../model/configured-model.ts";
import type { Traits } from "../model/language-model.ts";
import { loadModel } from "../model/load-model.ts";
import { configuredEndpoint, type Provider, findProvider, providers } from "../model/providers.ts";
import type { CastOptions, EndpointConfig, ModelLimits } from "./cast-options.ts";
import type { PlayerPlan } from "./cast-plan.ts";
import { resolveCallableUrl, shortenUrl } from "./endpoint-url.ts";

type ModelPlan = Extract<PlayerPlan, { kind: "model" }>;
type Env = Record<string, string | undefined>;

/** A model's place with everything that the environment and the config say about it; no key is read. */
export type Place = {
  plan: ModelPlan;
  provider: Provider;
  baseUrl: string;
  keyVariables: readonly string[];
  keyRequired: boolean;
  structuredOutput: boolean;
  traits: Traits;
  settings: ModelSettings;
  limits: RateLimits;
  /** What this model may be asked, beside all that its endpoint may be. */
  modelLimits: RateLimits | null;
  price: Price | null;
};

/** Finds where a model is reached and how it is asked. */
export function resolvePlace(plan: ModelPlan, options: CastOptions): Place {
  const config = (options.endpoints ?? []).find((endpoint) => endpoint.name === plan.provider);
  const provider = findProvider(plan.provider) ?? configuredEndpoint;
  const structuredOutput = config?.structured_output ?? true;
  const traits = provider.traits(structuredOutput);
  const models = config?.models ?? {};
  const own = Object.hasOwn(models, plan.model) ? models[plan.model] : undefined;
  const prices = { ...options.prices, ...config?.prices };
  return {
    plan,
    provider,
    baseUrl: resolveBaseUrl(plan, provider, config?.base_url, options.env ?? process.env),
    keyVariables: config?.key_env === undefined ? provider.keyVariables : [config.key_env],
    keyRequired: provider.keyRequired || config?.key_env !== undefined,
    structuredOutput,
    traits: config?.seed === undefined ? traits : { ...traits, seed: config.seed },
    settings: { ...defaultSettings, ...options.settings, ...settingsOf(config) },
    limits: limitsOf(config),
    modelLimits: own === undefined ? null : limitsOf(own),
    price: findPrice(plan.provider, plan.model, prices) ?? (provider.isFree ? freePrice : null),
  };
}

/** The place with its key; a required key that is missing is an error that names its variable. */
export function configureModel(place: Place, options: CastOptions): ConfiguredModel {
  const { plan, provider, baseUrl, structuredOutput, settings, price, keyVariables } = place;
  const env = options.env ?? process.env;
  const keyName = keyVariables.find((name) => (env[name] ?? "") !== "") ?? null;
  const key = keyName === null ? null : (env[keyName] ?? null);
  if (key === null && place.keyRequired) throw createMissingKeyError(plan, keyVariables);
  const address = { model: plan.model, baseUrl, key, structuredOutput, maxReplyBytes: settings.maxReplyBytes };
  const embeddings = provider.loadEmbedding;
  return {
    id: `${plan.provider}/${plan.model}`,
    model: plan.model,
    endpoint: shortenUrl(baseUrl),
    load: () => loadModel(provider, address),
    ...(embeddings ? { loadEmbedding: () => embeddings(address) } : {}),
    traits: place.traits,
    settings,
    isWatched: options.live ?? false,
    price,
    keyName: keyName ?? keyVariables[0] ?? null,
    keys: dropPlainWords(keysOf(env, listKeyVariables(options))),
    secrets: [...keysOf(env, listKeyVariables(options)), ...collectSecrets(env)],
  };
}

/** Every variable that may hold a key of some endpoint. */
function listKeyVariables({ endpoints = [] }: CastOptions): string[] {
  const builtIn = Object.values<Provider>(providers).flatMap((provider) => provider.keyVariables);
  return [...builtIn, ...endpoints.flatMap((endpoint) => endpoint.key_env ?? [])];
}

function createMissingKeyError(plan: ModelPlan, variables: readonly string[]): ParleyError {
  const names = variables.join(" or ");
  return new ParleyError("missing_key", `${plan.provider}/${plan.model} needs a key: set ${names} in the environment`, {
    details: { provider: plan.provider, variables },
  });
}

function resolveBaseUrl(
  { provider: name, model }: ModelPlan,
  provider: Provider,
  given: string | undefined,
  env: Env,
): string {
  const { baseUrl, baseUrlVariables: variables } = provider;
  const text = given ?? variables.map((variable) => env[variable] ?? "").find((value) => value !== "") ?? baseUrl;
  if (text === null) {
    const how = variables.length === 0 ? `give endpoint "${name}" a base_url` : `set ${variables.join(" or ")}`;
    throw new ParleyError("bad_config", `${name}/${model} has no address: ${how}`);
  }
  const url = resolveCallableUrl(text, provider);
  if (url !== null) return url;
  throw new ParleyError("bad_config", `"${text}" is not an http(s) address for ${name}/${model}`);
}

function settingsOf(config: EndpointConfig | undefined): Partial<ModelSettings> {
  const { max_output_tokens, max_output_tokens_ceiling, temperature, reasoning } = config ?? {};
  const { timeout_ms, chunk_timeout_ms, stream, max_reply_bytes } = config ?? {};
  return {
    ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
    ...(max_output_tokens_ceiling === undefined ? {} : { outputCeiling: max_output_tokens_ceiling }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(timeout_ms === undefined ? {} : { totalTimeoutMs: timeout_ms }),
    ...(chunk_timeout_ms === undefined ? {} : { chunkTimeoutMs: chunk_timeout_ms }),
    ...(stream === undefined ? {} : { stream }),
    ...(max_reply_bytes === undefined ? {} : { maxReplyBytes: max_reply_bytes }),
  };
}

function limitsOf(config: ModelLimits | undefined): RateLimits {
  return {
    concurrency: config?.max_concurrency ?? Infinity,
    requestsPerMinute: config?.requests_per_minute ?? Infinity,
    tokensPerMinute: config?.tokens_per_minute ?? Infinity,
  };
}
