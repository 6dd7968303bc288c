import * as z from "zod";
import type { Turn } from "../contract/turn.ts";
import type { Player } from "../engine/player.ts";
import type { AnyRole } from "../engine/role.ts";
import { type Price, PriceSchema } from "./prices.ts";
import type { RetryOptions } from "./with-retry.ts";
import type { RateLimiters } from "./rate-limiter.ts";
import { type ModelSettings, streamModes } from "./providers.ts";
import type { PersonPort } from "./person.ts";

/** Variables that hold what opens something other than a model: whatever a configuration says, they are never sent to one. */
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

/** What one model of an endpoint may be asked. */
const ModelLimitsSchema = z.strictObject({
  max_concurrency: z.int().positive().optional(),
  requests_per_minute: z.int().positive().optional(),
  tokens_per_minute: z.int().positive().optional(),
});
export type ModelLimits = z.infer<typeof ModelLimitsSchema>;

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
  /** By model, within the limits of the endpoint. */
  models: z.record(z.string(), ModelLimitsSchema).optional(),
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

/** What a cast is built with; everything has a default. */
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
