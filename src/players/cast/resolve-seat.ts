import { ParleyError } from "../../contract/error.ts";
import type { Traits } from "../model/language-model.ts";
import { loadModel } from "../model/load-model.ts";
import { defaultSettings, type ModelSeat, type ModelSettings } from "../model/model-player.ts";
import { compatible, type Provider, providerNamed, providers } from "../model/providers.ts";
import { type Price, priceOf } from "../prices.ts";
import type { RateLimits } from "../rate-limiter.ts";
import { keysOf, secretsOf } from "../secrets.ts";
import type { CastOptions, EndpointConfig } from "./cast-options.ts";
import type { PlayerPlan } from "./cast-plan.ts";

type ModelPlan = Extract<PlayerPlan, { kind: "model" }>;

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
  price: Price | null;
};

/** Finds where a model is reached and how it is asked. */
export function resolvePlace(plan: ModelPlan, options: CastOptions): Place {
  const config = (options.endpoints ?? []).find((endpoint) => endpoint.name === plan.provider);
  const provider = providerNamed(plan.provider) ?? compatible;
  const structuredOutput = config?.structured_output ?? true;
  const traits = provider.traits(structuredOutput);
  return {
    plan,
    provider,
    baseUrl: baseUrlOf(plan, provider, config, options),
    keyVariables: config?.key_env !== undefined ? [config.key_env] : keyVariablesOf(plan, provider),
    keyRequired: provider.keyRequired || config?.key_env !== undefined,
    structuredOutput,
    traits: config?.seed === undefined ? traits : { ...traits, seed: config.seed },
    settings: { ...defaultSettings, ...options.settings, ...settingsOf(config) },
    limits: limitsOf(config),
    price: priceOf(plan.provider, plan.model, { ...options.prices, ...config?.prices }),
  };
}

/** The place with its key; a required key that is missing is an error that names its variable. */
export function seatAt(place: Place, options: CastOptions): ModelSeat {
  const { plan, provider, baseUrl, structuredOutput, settings, price, keyVariables } = place;
  const env = options.env ?? process.env;
  const keyName = keyVariables.find((name) => (env[name] ?? "") !== "") ?? null;
  const key = keyName === null ? null : (env[keyName] ?? null);
  if (key === null && place.keyRequired) throw missingKey(plan, keyVariables);
  const address = { model: plan.model, baseUrl, key, structuredOutput };
  const embeddings = provider.loadEmbedding;
  return {
    id: `${plan.provider}/${plan.model}`,
    model: plan.model,
    endpoint: shownUrl(baseUrl),
    load: () => loadModel(provider, address),
    ...(embeddings ? { loadEmbedding: () => embeddings(address) } : {}),
    traits: place.traits,
    settings,
    price,
    keyName: keyName ?? keyVariables[0] ?? null,
    keys: keysOf(env, allKeyVariables(options)),
    secrets: [...keysOf(env, allKeyVariables(options)), ...secretsOf(env)],
  };
}

/** Every variable that may hold a key of some endpoint. */
function allKeyVariables({ endpoints = [] }: CastOptions): string[] {
  const builtIn = Object.values<Provider>(providers).flatMap((provider) => provider.keyVariables);
  return [...builtIn, ...endpoints.flatMap((endpoint) => endpoint.key_env ?? [])];
}

function keyVariablesOf(plan: ModelPlan, provider: Provider): readonly string[] {
  // A named endpoint has no key of its own unless its config says so: another endpoint's key must not leak to it.
  return providerNamed(plan.provider) === null ? [] : provider.keyVariables;
}

function missingKey(plan: ModelPlan, variables: readonly string[]): ParleyError {
  const names = variables.join(" or ");
  return new ParleyError("missing_key", `${plan.provider}/${plan.model} needs a key: set ${names} in the environment`, {
    details: { provider: plan.provider, variables },
  });
}

function baseUrlOf(
  plan: ModelPlan,
  provider: Provider,
  config: EndpointConfig | undefined,
  options: CastOptions,
): string {
  const env = options.env ?? process.env;
  const variable = provider.baseUrlVariables.find((name) => (env[name] ?? "") !== "");
  const isNamed = providerNamed(plan.provider) === null;
  const text =
    config?.base_url ??
    (isNamed || variable === undefined ? undefined : env[variable]) ??
    (isNamed ? null : provider.baseUrl);
  if (text === null || text === undefined) {
    const how = isNamed
      ? `give endpoint "${plan.provider}" a base_url`
      : `set ${provider.baseUrlVariables.join(" or ")}`;
    throw new ParleyError("bad_config", `${plan.provider}/${plan.model} has no address: ${how}`);
  }
  return normalUrl(text, plan);
}

/** `host:port` and addresses to listen on are made into addresses to call; a bare Ollama host gets its API path. */
function normalUrl(text: string, plan: ModelPlan): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ParleyError("bad_config", `"${text}" is no http(s) address for ${plan.provider}/${plan.model}`);
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (plan.provider === "ollama" && url.port === "" && !text.startsWith("https:")) url.port = "11434";
  if (plan.provider === "ollama" && url.pathname === "/") url.pathname = "/v1";
  return url.href.replace(/\/$/, "");
}

/** The address without what may be secret in it. */
export function shownUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.origin}${url.pathname}`.replace(/\/$/, "");
}

function settingsOf(config: EndpointConfig | undefined): Partial<ModelSettings> {
  const { max_output_tokens, temperature, reasoning, timeout_ms, chunk_timeout_ms } = config ?? {};
  return {
    ...(max_output_tokens === undefined ? {} : { maxOutputTokens: max_output_tokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(timeout_ms === undefined ? {} : { totalTimeoutMs: timeout_ms }),
    ...(chunk_timeout_ms === undefined ? {} : { chunkTimeoutMs: chunk_timeout_ms }),
  };
}

function limitsOf(config: EndpointConfig | undefined): RateLimits {
  return {
    concurrency: config?.max_concurrency ?? Infinity,
    requestsPerMinute: config?.requests_per_minute ?? Infinity,
    tokensPerMinute: config?.tokens_per_minute ?? Infinity,
  };
}
