import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import type { Turn } from "../contract/turn.ts";
import type { Player } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import type { PlayerPlan } from "./cast.ts";
import type { PersonPort } from "./person.ts";
import {
  findPrice,
  freePrice,
  type Price,
  PriceSchema,
  configuredEndpoint,
  type ConfiguredModel,
  defaultSettings,
  findProvider,
  loadModel,
  type ModelSettings,
  type Provider,
  providers,
  streamModes,
  withoutStructure,
} from "./providers.ts";
import type { RateLimiters, RateLimits } from "./rate-limiter.ts";
import { collectSecrets, dropPlainWords, keysOf } from "./secrets.ts";
import type { RetryOptions } from "./with-retry.ts";

const KeyNameSchema = z
  .string()
  .regex(
    /^\w+_(?:key|token)$/i,
    "not the name of a variable that holds a key: it ends in _KEY or _TOKEN, e.g. LAB_API_KEY",
  );

/** 24 days; Node fires longer timers at once. */
const longestTimerMs = 2 ** 31 - 1;

/** A named OpenAI-compatible endpoint, or settings for a built-in provider of that name. */
const EndpointShape = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, "a name of letters, digits, dots, dashes and underscores"),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  key_env: KeyNameSchema.optional(),
  structured_output: z.boolean().optional(),
  max_concurrency: z.int().positive().optional(),
  requests_per_minute: z.int().positive().optional(),
  tokens_per_minute: z.int().positive().optional(),
  max_output_tokens: z.int().positive().optional(),
  max_output_tokens_ceiling: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  reasoning: z.enum(["none", "minimal", "low", "medium", "high"]).optional(),
  timeout_ms: z.int().positive().max(longestTimerMs).optional(),
  chunk_timeout_ms: z.int().positive().max(longestTimerMs).optional(),
  stream: z.enum(streamModes).optional(),
  seed: z.boolean().optional(),
  prices: z.record(z.string(), PriceSchema).optional(),
});

/**
 * An endpoint of the user's config. Only variables named after it are sent, since any other may hold another
 * endpoint's secret.
 */
export const EndpointSchema = EndpointShape.refine(
  ({ name, key_env: key }) => key === undefined || isKeyOf(name, key),
  {
    path: ["key_env"],
    error: ({ input }) => {
      const { name } = input as { name: string };
      return `a key's variable is named after its endpoint, e.g. ${prefixOf(name)}API_KEY; copy the key into a variable of its own`;
    },
  },
);

export type EndpointConfig = z.infer<typeof EndpointSchema>;

function isKeyOf(name: string, key: string): boolean {
  const isOwn = key.toUpperCase().startsWith(prefixOf(name)) && name.toLowerCase() !== "parley";
  return isOwn || Object.values<Provider>(providers).some(({ keyVariables }) => keyVariables.includes(key));
}

function prefixOf(name: string): string {
  return `${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_`;
}

/** Options for building the players of a cast. */
export type CastOptions = {
  env?: Record<string, string | undefined>;
  endpoints?: readonly EndpointConfig[];
  /** By `provider/model` or `model`; these go before the built-in table. */
  prices?: Record<string, Price>;
  settings?: Partial<ModelSettings>;
  /** True when someone watches: replies are then streamed, unless the endpoint's settings say otherwise. */
  live?: boolean;
  /** Where people answer; without it, a person's turn parks the run. */
  person?: PersonPort | null;
  /** Plays every role that is not a person's, instead of its own player. */
  others?: Player;
  recordedTurns?(run: string): readonly Turn[];
  roles?: readonly AnyRole[];
  retry?: Partial<RetryOptions>;
  /** Shared by everything built with the same limiters; by default those of the process. */
  limiters?: RateLimiters;
};

type ModelPlan = Extract<PlayerPlan, { kind: "model" }>;
type Env = Record<string, string | undefined>;

export type Place = ReturnType<typeof resolvePlace>;

export function resolvePlace(plan: ModelPlan, options: CastOptions) {
  const config = (options.endpoints ?? []).find((endpoint) => endpoint.name === plan.provider);
  const provider = findProvider(plan.provider) ?? configuredEndpoint;
  const traits = config?.structured_output !== false ? provider.traits : withoutStructure(provider.traits);
  const prices = { ...options.prices, ...config?.prices };
  return {
    plan,
    provider,
    baseUrl: resolveBaseUrl(plan, provider, config?.base_url, options.env ?? process.env),
    keyVariables: config?.key_env === undefined ? provider.keyVariables : [config.key_env],
    keyRequired: provider.keyRequired || config?.key_env !== undefined,
    traits: config?.seed === undefined ? traits : { ...traits, seed: config.seed },
    settings: { ...defaultSettings, ...options.settings, ...settingsOf(config) },
    limits: limitsOf(config),
    price: findPrice(plan.provider, plan.model, prices) ?? (provider.isFree ? freePrice : null),
  };
}

export function configureModel(place: Place, options: CastOptions): ConfiguredModel {
  const { plan, provider, baseUrl, settings, price, traits, keyVariables } = place;
  const env = options.env ?? process.env;
  const keyName = findKey(keyVariables, env);
  if (keyName === undefined && place.keyRequired)
    throw new ParleyError(
      "missing_key",
      `${plan.provider}/${plan.model} needs a key: set ${keyVariables.join(" or ")} in the environment`,
      { details: { provider: plan.provider, variables: keyVariables } },
    );
  const key = keyName === undefined ? null : (env[keyName] ?? null);
  const { structuredOutput } = traits;
  const address = { model: plan.model, baseUrl, key, structuredOutput, maxReplyBytes: settings.maxReplyBytes };
  const keys = keysOf(env, listKeyVariables(options));
  return {
    id: `${plan.provider}/${plan.model}`,
    model: plan.model,
    endpoint: shortenUrl(baseUrl),
    load: () => loadModel(plan.provider, provider, address),
    traits,
    settings,
    isWatched: options.live ?? false,
    price,
    keyName: keyName ?? keyVariables[0] ?? null,
    keys: dropPlainWords(keys),
    secrets: [...keys, ...collectSecrets(env)],
  };
}

export function findKey(variables: readonly string[], env: Env): string | undefined {
  return variables.find((name) => (env[name] ?? "") !== "");
}

function listKeyVariables({ endpoints = [] }: CastOptions): string[] {
  const builtIn = Object.values<Provider>(providers).flatMap((provider) => provider.keyVariables);
  return [...builtIn, ...endpoints.flatMap((endpoint) => endpoint.key_env ?? [])];
}

function resolveBaseUrl(plan: ModelPlan, provider: Provider, given: string | undefined, env: Env): string {
  const { baseUrl, baseUrlVariables: variables } = provider;
  const text = given ?? variables.map((variable) => env[variable]).find(Boolean) ?? baseUrl;
  const name = `${plan.provider}/${plan.model}`;
  if (text === null) {
    const how =
      variables.length === 0 ? `give endpoint "${plan.provider}" a base_url` : `set ${variables.join(" or ")}`;
    throw new ParleyError("bad_config", `${name} has no address: ${how}`);
  }
  const url = resolveCallableUrl(text, provider);
  if (url === null) throw new ParleyError("bad_config", `"${text}" is not an http(s) address for ${name}`);
  return url;
}

function settingsOf(config: EndpointConfig | undefined): Partial<ModelSettings> {
  const given = {
    maxOutputTokens: config?.max_output_tokens,
    outputCeiling: config?.max_output_tokens_ceiling,
    temperature: config?.temperature,
    reasoning: config?.reasoning,
    totalTimeoutMs: config?.timeout_ms,
    chunkTimeoutMs: config?.chunk_timeout_ms,
    stream: config?.stream,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function limitsOf(config: EndpointConfig | undefined): RateLimits {
  return {
    concurrency: config?.max_concurrency ?? Infinity,
    requestsPerMinute: config?.requests_per_minute ?? Infinity,
    tokensPerMinute: config?.tokens_per_minute ?? Infinity,
  };
}

/**
 * Turns a given address into one to call: listening addresses become callable, and a bare host gets its provider's
 * port and path. Null unless it is http(s).
 */
export function resolveCallableUrl(text: string, { bareHost }: Provider): string | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (bareHost !== null && url.port === "" && !text.startsWith("https:")) url.port = bareHost.port;
  if (bareHost !== null && url.pathname === "/") url.pathname = bareHost.path;
  return url.href.replace(/\/$/, "");
}

export function shortenUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.origin}${url.pathname}`.replace(/\/$/, "");
}

export type EndpointDescription = ReturnType<typeof describeEndpoints>[number];

export function listProviders({ endpoints = [] }: CastOptions): string[] {
  return [...new Set([...Object.keys(providers), ...endpoints.map(({ name }) => name)])];
}

export function describeEndpoints(options: CastOptions = {}) {
  return listProviders(options).map((name) => {
    try {
      const plan: ModelPlan = { kind: "model", provider: name, model: "MODEL" };
      const { baseUrl, keyVariables, keyRequired } = resolvePlace(plan, options);
      const isSet = findKey(keyVariables, options.env ?? process.env) !== undefined;
      const problem = keyRequired && !isSet ? `set ${keyVariables.join(" or ")} in the environment` : null;
      return { name, base_url: shortenUrl(baseUrl), key_variables: keyVariables, key_set: isSet, problem };
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      return { name, base_url: null, key_variables: [], key_set: false, problem: error.message };
    }
  });
}
