import * as z from "zod";
import type { Turn } from "../../contract/turn.ts";
import type { Player } from "../../engine/player.ts";
import type { AnyRole } from "../../engine/role.ts";
import { type Price, PriceSchema } from "../calls/prices.ts";
import type { RetryOptions } from "../calls/with-retry.ts";
import type { RateLimiters } from "../limits/rate-limiters.ts";
import { type ModelSettings, streamModes } from "../model/model-settings.ts";
import type { PersonPort } from "../person/person-player.ts";
import { KeyNameSchema } from "./key-names.ts";

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
