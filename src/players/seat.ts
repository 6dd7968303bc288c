import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import type { Turn } from "../contract/turn.ts";
import type { Player } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import { listProviders, type PlayerPlan } from "./cast.ts";
import type { PersonPort } from "./person.ts";
import { findPrice, freePrice, type Price, PriceSchema } from "./prices.ts";
import {
  configuredEndpoint,
  type ConfiguredModel,
  defaultSettings,
  findProvider,
  loadModel,
  type ModelSettings,
  type Provider,
  providers,
  streamModes,
  type Traits,
} from "./providers.ts";
import type { RateLimiters, RateLimits } from "./rate-limiter.ts";
import { collectSecrets, dropPlainWords, keysOf } from "./secrets.ts";
import type { RetryOptions } from "./with-retry.ts";

/** Variables with secrets that are not for models; they are never sent to one, whatever a configuration says. */
const foreign = [
  /^(?:AWS|AMAZON|ALICLOUD|DIGITALOCEAN|LINODE|HCLOUD|CLOUDFLARE|CF|FLY|HEROKU|NETLIFY|VERCEL|RAILWAY|RENDER)_/,
  /^(?:GITHUB|GH|GITLAB|BITBUCKET|CI|CIRCLE|TRAVIS|BUILDKITE|DRONE|JENKINS|ACTIONS|RUNNER|SONAR|CODECOV|SNYK)_/,
  /^(?:NPM|NODE_AUTH|YARN|PYPI|TWINE|CARGO|GEM_HOST|RUBYGEMS|DOCKER|HOMEBREW|NUGET|MAVEN|GPG|SSH|SIGNING)_/,
  /^(?:STRIPE|PAYPAL|PLAID|TWILIO|SENDGRID|MAILGUN|MAILCHIMP|SLACK|DISCORD|TELEGRAM|JIRA|ATLASSIAN|LINEAR|NOTION)_/,
  /^(?:VAULT|CONSUL|NOMAD|KUBE|KUBERNETES|TF|TERRAFORM|PULUMI|OP|BW|DOPPLER|SENTRY|DATADOG|DD|NEW_RELIC|GRAFANA)_/,
  /^(?:DATABASE|DB|PG|POSTGRES|MYSQL|MONGO|REDIS|SUPABASE|FIREBASE|JWT|SESSION|COOKIE|ENCRYPTION|SECRET|PRIVATE)_/,
  /^(?:PARLEY_TOKEN|PARLEY_READER_TOKEN)$/,
];

const isForeign = (name: string): boolean => foreign.some((pattern) => pattern.test(name.toUpperCase()));

/** The name of a variable that may hold the key of a model endpoint. */
export const KeyNameSchema = z
  .string()
  .regex(
    /^\w+_(?:[Kk][Ee][Yy]|[Tt][Oo][Kk][Ee][Nn])$/,
    "not the name of a variable that holds a key: it ends in _KEY or _TOKEN, e.g. LAB_API_KEY",
  )
  .refine((name) => !isForeign(name), {
    error:
      "this variable holds a secret of something other than a model; copy the endpoint's key into a variable of its own, e.g. LAB_API_KEY",
  });

/** 24 days; a longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** An endpoint of the user's config: a named OpenAI-compatible one, or settings for a built-in provider of that name. */
export const EndpointSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, "a name of letters, digits, dots, dashes and underscores"),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  /** The environment variable that holds the key. */
  key_env: KeyNameSchema.optional(),
  structured_output: z.boolean().optional(),
  max_concurrency: z.int().positive().optional(),
  requests_per_minute: z.int().positive().optional(),
  tokens_per_minute: z.int().positive().optional(),
  max_output_tokens: z.int().positive().optional(),
  /** How far the limit is raised for a reply that was cut off. */
  max_output_tokens_ceiling: z.int().positive().optional(),
  /** The largest answer that is read, in bytes, after unpacking. */
  max_reply_bytes: z
    .int()
    .min(1024)
    .max(512 * 1024 * 1024)
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  reasoning: z.enum(["none", "minimal", "low", "medium", "high"]).optional(),
  timeout_ms: z.int().positive().max(longestTimerMs).optional(),
  chunk_timeout_ms: z.int().positive().max(longestTimerMs).optional(),
  stream: z.enum(streamModes).optional(),
  /** False for endpoints that refuse a request with a seed. */
  seed: z.boolean().optional(),
  /** By model, in USD per million tokens. */
  prices: z.record(z.string(), PriceSchema).optional(),
});
export type EndpointConfig = z.infer<typeof EndpointSchema>;

/** The options of a cast, all with defaults. */
export type CastOptions = {
  env?: Record<string, string | undefined>;
  endpoints?: readonly EndpointConfig[];
  /** Prices by `provider/model` or `model`, before the built-in table. */
  prices?: Record<string, Price>;
  settings?: Partial<ModelSettings>;
  /** True when someone watches replies arrive: they are streamed then, unless an endpoint's settings say otherwise. */
  live?: boolean;
  /** Where people answer; without one a person's turn parks the run. */
  person?: PersonPort | null;
  /** Plays every role that is not a person's, in place of its own player. */
  others?: Player;
  /** The turns of an earlier run, for `recording/RUN`. */
  recordedTurns?(run: string): readonly Turn[];
  /** The debate's roles, so that errors can say which have an expert. */
  roles?: readonly AnyRole[];
  retry?: Partial<RetryOptions>;
  /** Limits are shared by everything built with the same limiters; by default, those of the process. */
  limiters?: RateLimiters;
};

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
  price: Price | null;
};

/** Finds where a model is reached and how it is asked. */
export function resolvePlace(plan: ModelPlan, options: CastOptions): Place {
  const config = (options.endpoints ?? []).find((endpoint) => endpoint.name === plan.provider);
  const provider = findProvider(plan.provider) ?? configuredEndpoint;
  const structuredOutput = config?.structured_output ?? true;
  const traits = provider.traits(structuredOutput);
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
  const given = {
    maxOutputTokens: config?.max_output_tokens,
    outputCeiling: config?.max_output_tokens_ceiling,
    temperature: config?.temperature,
    reasoning: config?.reasoning,
    totalTimeoutMs: config?.timeout_ms,
    chunkTimeoutMs: config?.chunk_timeout_ms,
    stream: config?.stream,
    maxReplyBytes: config?.max_reply_bytes,
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
 * The address to call for one that a person gave: `host:port` and addresses to listen on become addresses to call, a bare
 * host gets what its provider adds to it. Null when it is not an http(s) address.
 */
export function resolveCallableUrl(text: string, { bareHost }: Provider): string | null {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  if (bareHost !== null && url.port === "" && !text.startsWith("https:")) url.port = bareHost.port;
  if (bareHost !== null && url.pathname === "/") url.pathname = bareHost.path;
  return url.href.replace(/\/$/, "");
}

/** The address without what may be secret in it. */
export function shortenUrl(baseUrl: string): string {
  const url = new URL(baseUrl);
  return `${url.origin}${url.pathname}`.replace(/\/$/, "");
}

/** An endpoint as a check-up sees it; `problem` says what keeps it from being used. */
export type EndpointDescription = {
  name: string;
  /** Null when nothing says where it is. */
  base_url: string | null;
  key_variables: readonly string[];
  key_set: boolean;
  problem: string | null;
};

/** Every endpoint that a cast can name, where it is and whether its key is set; no key is in it. */
export function describeEndpoints(options: CastOptions = {}): EndpointDescription[] {
  return listProviders(options).map((name) => describeEndpoint(name, options));
}

function describeEndpoint(name: string, options: CastOptions): EndpointDescription {
  try {
    const { baseUrl, keyVariables, keyRequired } = resolvePlace(
      { kind: "model", provider: name, model: "MODEL" },
      options,
    );
    const env = options.env ?? process.env;
    const keySet = keyVariables.some((variable) => (env[variable] ?? "") !== "");
    const problem = keyRequired && !keySet ? `set ${keyVariables.join(" or ")} in the environment` : null;
    return { name, base_url: shortenUrl(baseUrl), key_variables: keyVariables, key_set: keySet, problem };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { name, base_url: null, key_variables: [], key_set: false, problem: error.message };
  }
}
