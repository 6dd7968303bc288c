/** The pack's config (sentiment spec §1 to §10): strict, with defaults for everything and the seeds' nesting as an alias. */
import type { NamesFiles } from "../../../contract/run.ts";
import * as z from "zod";
import { ActAboveSchema } from "../../../engine/define-pack.ts";
import { isRecord } from "../../../text/json.ts";
import { defaultPersonas } from "../prompts/read-prompts.ts";
import { conditions, EpisodeSchema, type Persona, PersonaSchema, type Style, styles } from "../schemas/debate.ts";
import { ThresholdsSchema } from "../schemas/output.ts";
import type { LanguageCode } from "../schemas/stage1.ts";

const defaults: Record<Style, { order: string[]; rounds: number }> = {
  patch: { order: ["epm", "tan", "cj"], rounds: 1 },
  stance: { order: ["analyst", "critic", "empath"], rounds: 2 },
};

/** Roles that are not speakers; speaker names must differ from them. */
const otherRoles = ["ate", "atsa", "validator", "judge", "ate_review", "atsa_review", "validator_review"];

const enabled = z.boolean().default(true);

const DebateConfigSchema = z.strictObject({
  enabled,
  style: z.enum(styles).default("patch"),
  rounds: z.int().min(1).max(128).optional(),
  max_rounds: z.int().min(1).max(128).default(3),
  order: z.array(z.string()).min(1).optional(),
  personas: z.record(z.string(), PersonaSchema.partial()).default({}),
  injection: z
    .strictObject({
      strategy: z.enum(["during_debate_one_shot"]).default("during_debate_one_shot"),
      trigger: z.enum(["deadlock_obs2of4"]).default("deadlock_obs2of4"),
      allow_multiple_injections: z.boolean().default(false),
    })
    .prefault({}),
});

const PlainConfigSchema = z.strictObject({
  protocol: z.enum(["debate", "single", "vote", "self_consistency"]).default("debate"),
  samples: z.int().min(1).max(99).default(3),
  enable_debate: enabled,
  enable_debate_override: enabled,
  neutral_policy: z.enum(["explicit", "mention"]).default("explicit"),
  debate: DebateConfigSchema.prefault({}),
  debate_override: ThresholdsSchema.prefault({}),
  memory: z
    .strictObject({ condition: z.enum(conditions).default("C1"), episodes: z.array(EpisodeSchema).default([]) })
    .prefault({}),
  debate_thresholds: z
    .strictObject({
      coverage_warn: z.number().default(0.4),
      coverage_high: z.number().default(0.25),
      no_match_warn: z.number().default(0.4),
      no_match_high: z.number().default(0.6),
      neutral_warn: z.number().default(0.4),
      neutral_high: z.number().default(0.6),
    })
    .prefault({}),
  /** The layer of each language: "default", "off", or a file (sentiment spec §2). */
  learnt: z
    .strictObject({ en: z.string().min(1).default("default"), ko: z.string().min(1).default("default") })
    .prefault({}),
  act_above: ActAboveSchema,
});
type PlainConfig = z.infer<typeof PlainConfigSchema>;

export const SentimentConfigSchema = z
  .preprocess(liftPipeline, PlainConfigSchema)
  .transform(resolveConfig)
  .meta({
    filesOf: ({ learnt }) => Object.values(learnt).filter((layer) => layer !== "default" && layer !== "off"),
  } satisfies NamesFiles<PlainConfig>);

export type SentimentConfig = ReturnType<typeof resolveConfig>;

function liftPipeline(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.pipeline)) return value;
  const { pipeline, ...rest } = value;
  return Object.keys(pipeline).some((key) => key in rest) ? value : { ...rest, ...pipeline };
}

/** Fills in settings that depend on the style; a speaker without a persona, or too many rounds, is an error (sentiment spec §3). */
function resolveConfig(config: PlainConfig, context: z.RefinementCtx) {
  const { style, max_rounds, personas } = config.debate;
  const order = config.debate.order ?? defaults[style].order;
  const rounds = config.debate.rounds ?? Math.min(defaults[style].rounds, max_rounds);
  const problem = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  if (rounds > max_rounds) problem(["debate", "rounds"], `${rounds} rounds exceed max_rounds (${max_rounds})`);
  const shipped = defaultPersonas.en[style];
  for (const [key, given] of Object.entries(personas)) {
    const { error } = PersonaSchema.safeParse({ ...shipped[key], ...given });
    const missing = error?.issues.map((issue) => issue.path.join(".")).join(", ");
    if (missing !== undefined) problem(["debate", "personas", key], `needs ${missing}`);
  }
  const known = [...new Set([...Object.keys(shipped), ...Object.keys(personas)])];
  for (const [at, key] of order.entries()) {
    const path = ["debate", "order", at];
    if (!known.includes(key)) problem(path, `speaker "${key}" has no persona; known: ${known.join(", ")}`);
    if (otherRoles.includes(key)) problem(path, `"${key}" is the name of another role`);
    if (order.indexOf(key) !== at) problem(path, `speaker "${key}" is named twice`);
  }
  return {
    ...config,
    enable_debate: config.enable_debate && config.debate.enabled,
    debate: { ...config.debate, order, rounds },
  };
}

export function personasOf({ debate }: SentimentConfig, language: LanguageCode): Record<string, Persona> {
  const shipped = defaultPersonas[language][debate.style];
  return Object.fromEntries(
    debate.order.map((key) => [key, PersonaSchema.parse({ ...shipped[key], ...debate.personas[key] })]),
  );
}
