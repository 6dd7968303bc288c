/** The pack's config (sentiment spec §1 to §10): strict, with defaults for everything and the seeds' nesting as an alias. */
import * as z from "zod";
import { isRecord } from "../../text/is-record.ts";
import { PlainConfigSchema } from "./config/plain-config.ts";
import { resolveConfig, type SentimentConfig } from "./config/resolve-config.ts";

export type { SentimentConfig };

export const SentimentConfigSchema = z.preprocess(liftPipeline, PlainConfigSchema).transform(resolveConfig);

/** Accepts the seeds' nesting: what stands under `pipeline` stands at the top; a key given twice stays a conflict. */
function liftPipeline(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.pipeline)) return value;
  const { pipeline, ...rest } = value;
  const twice = Object.keys(pipeline).filter((key) => key in rest);
  return twice.length > 0 ? { ...rest, pipeline } : { ...rest, ...renameProfile(pipeline) };
}

/** `override_profile` beside `debate_override` is the seeds' way to name a profile. */
function renameProfile(pipeline: Record<string, unknown>): Record<string, unknown> {
  const { override_profile, ...rest } = pipeline;
  if (override_profile === undefined) return rest;
  const override = isRecord(rest.debate_override) ? rest.debate_override : {};
  return { ...rest, debate_override: { profile: override_profile, ...override } };
}
