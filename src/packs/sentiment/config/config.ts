/** The pack's config (sentiment spec §1 to §10): strict, with defaults for everything and the seeds' nesting as an alias. */
import * as z from "zod";
import { ActAboveSchema } from "../../../engine/define-pack.ts";
import { isRecord } from "../../../text/is-record.ts";
import { defaultPersonas } from "../prompts/read-prompts.ts";
import { conditions, EpisodeSchema, type Persona, PersonaSchema, type Style, StyleSchema } from "../schemas/debate.ts";
import type { Thresholds } from "../schemas/output.ts";
import type { LanguageCode } from "../schemas/stage1.ts";

/** From cautious to eager. */
export const profileNames = ["t0", "t1", "t2"] as const;

/** How many speakers settling asks for (sentiment spec §6a); null: all of them for an addition, none suffice for a flip. */
type SpeakerCounts = { min_speakers: number | null; flip_speakers: number | null };

/** In each profile the margin asked for is half the total, which is how the gate compares aspects. */
export const profiles: Record<(typeof profileNames)[number], Thresholds & SpeakerCounts> = {
  t0: {
    min_total: 1.6,
    min_margin: 0.8,
    min_target_conf: 0.7,
    ev_threshold: 0.5,
    l3_conservative: true,
    min_speakers: null,
    flip_speakers: null,
  },
  t1: {
    min_total: 1,
    min_margin: 0.5,
    min_target_conf: 0.6,
    ev_threshold: 0.4,
    l3_conservative: true,
    min_speakers: 3,
    flip_speakers: 2,
  },
  t2: {
    min_total: 0.6,
    min_margin: 0.3,
    min_target_conf: 0.55,
    ev_threshold: 0.3,
    l3_conservative: false,
    min_speakers: 2,
    flip_speakers: 2,
  },
};

export const defaultOrder: Record<Style, string[]> = {
  patch: ["epm", "tan", "cj"],
  stance: ["analyst", "critic", "empath"],
};
const defaultRounds: Record<Style, number> = { patch: 1, stance: 2 };

/** The roles that are no speakers; a cast names roles, so their names must differ. */
const otherRoles = ["ate", "atsa", "validator", "judge", "ate_review", "atsa_review", "validator_review"];

const share = z.number().min(0).max(1);
const weight = z.number().nonnegative();

const DebateConfigSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Debate and review every text, or only those of which Stage 1 leaves a doubt. */
  when: z.enum(["always", "disagreement"]).default("always"),
  /** Below this confidence a sentiment of Stage 1 is a doubt. */
  sure_from: share.default(0.7),
  style: StyleSchema.default("patch"),
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

const OverrideConfigSchema = z.strictObject({
  profile: z.enum(profileNames).default("t0"),
  min_total: weight.optional(),
  min_margin: weight.optional(),
  min_target_conf: share.optional(),
  ev_threshold: share.optional(),
  l3_conservative: z.boolean().optional(),
});

const enabled = z.boolean().default(true);

const PlainConfigSchema = z.strictObject({
  protocol: z.enum(["debate", "single", "vote", "self_consistency"]).default("debate"),
  /** Independent Stage 1 samples of `vote` and `self_consistency`. */
  samples: z.int().min(1).max(99).default(3),
  enable_debate: enabled,
  enable_debate_override: enabled,
  enable_stage2: enabled,
  enable_validator: enabled,
  enable_moderator: enabled,
  neutral_policy: z.enum(["explicit", "mention"]).default("explicit"),
  debate: DebateConfigSchema.prefault({}),
  debate_override: OverrideConfigSchema.prefault({}),
  ev_weights: z
    .strictObject({
      debate_support: weight.default(0.6),
      validator_resolved: weight.default(0.2),
      grounding_improvement: weight.default(0.1),
      alignment_improvement: z.number().positive().default(0.1),
    })
    .prefault({}),
  settle: z
    .strictObject({
      /** Speakers that an addition needs; null is all of them. Unless given, the profile says. */
      min_speakers: z.int().min(1).nullable().optional(),
      /** Speakers that, with the judge, carry a flip which the gate held back as weak; null is none. Unless given, the profile says. */
      flip_speakers: z.int().min(1).nullable().optional(),
      /** How many of the judge's tuples stand where Stage 1 found nothing. */
      max_additions_when_empty: z.int().min(0).default(1),
    })
    .prefault({}),
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
  /** What the experts read each language with: "default", "off", or the file of a learnt layer (sentiment spec §2). */
  learnt: z
    .strictObject({ en: z.string().min(1).default("default"), ko: z.string().min(1).default("default") })
    .prefault({}),
  act_above: ActAboveSchema,
});
type PlainConfig = z.infer<typeof PlainConfigSchema>;

export const SentimentConfigSchema = z.preprocess(liftPipeline, PlainConfigSchema).transform(resolveConfig);

/** The config that everything runs under, with nothing left open. */
export type SentimentConfig = ReturnType<typeof resolveConfig>;

/** Accepts the seeds' nesting: what stands under `pipeline` stands at the top; a key given twice stays a conflict. */
function liftPipeline(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value.pipeline)) return value;
  const { pipeline, ...rest } = value;
  const twice = Object.keys(pipeline).filter((key) => key in rest);
  if (twice.length > 0) return { ...rest, pipeline };
  const { override_profile, ...own } = pipeline;
  if (override_profile === undefined) return { ...rest, ...own };
  const override = isRecord(own.debate_override) ? own.debate_override : {};
  return { ...rest, ...own, debate_override: { profile: override_profile, ...override } };
}

/** Fills in what depends on style and profile; a speaker without a persona and too many rounds are errors (sentiment spec §3). */
function resolveConfig(config: PlainConfig, context: z.RefinementCtx) {
  const { style, max_rounds } = config.debate;
  const order = config.debate.order ?? defaultOrder[style];
  const rounds = config.debate.rounds ?? Math.min(defaultRounds[style], max_rounds);
  const problem = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  if (rounds > max_rounds) problem(["debate", "rounds"], `${rounds} rounds exceed max_rounds (${max_rounds})`);
  const known = checkPersonas(config, problem);
  for (const [at, key] of order.entries()) {
    if (!known.includes(key))
      problem(["debate", "order", at], `speaker "${key}" has no persona; known: ${known.join(", ")}`);
    if (otherRoles.includes(key)) problem(["debate", "order", at], `"${key}" is the name of another role`);
    if (order.indexOf(key) !== at) problem(["debate", "order", at], `speaker "${key}" is named twice`);
  }
  for (const key of ["min_speakers", "flip_speakers"] as const) {
    const asked = config.settle[key] ?? 0;
    if (asked > order.length) problem(["settle", key], `${asked} exceeds the ${order.length} speakers of order`);
  }
  const { profile, ...given } = config.debate_override;
  const { min_speakers, flip_speakers, ...thresholds } = profiles[profile];
  /** A profile never asks for more speakers than there are. */
  const least = (own: number | null) => (own === null ? null : Math.min(own, order.length));
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    ...config,
    enable_debate: config.enable_debate && config.debate.enabled,
    debate: { ...config.debate, order, rounds },
    debate_override: { profile, ...thresholds, ...(stated as Partial<Thresholds>) },
    settle: {
      ...config.settle,
      min_speakers: config.settle.min_speakers === undefined ? least(min_speakers) : config.settle.min_speakers,
      flip_speakers: config.settle.flip_speakers === undefined ? least(flip_speakers) : config.settle.flip_speakers,
    },
  };
}

/** The keys that have a persona; a new key needs a full one. */
function checkPersonas({ debate }: PlainConfig, problem: (path: PropertyKey[], message: string) => void): string[] {
  const defaults = defaultPersonas.en[debate.style];
  for (const [key, given] of Object.entries(debate.personas)) {
    const merged = PersonaSchema.safeParse({ ...defaults[key], ...given });
    if (!merged.success)
      problem(["debate", "personas", key], `needs ${merged.error.issues.map((one) => one.path.join(".")).join(", ")}`);
  }
  return [...new Set([...Object.keys(defaults), ...Object.keys(debate.personas)])];
}

/** Who speaks in a debate, in its order: the defaults in the language of the text, with what the config gives over them. */
export function personasOf({ debate }: SentimentConfig, language: LanguageCode): Record<string, Persona> {
  const defaults = defaultPersonas[language][debate.style];
  return Object.fromEntries(
    debate.order.map((key) => [key, PersonaSchema.parse({ ...defaults[key], ...debate.personas[key] })]),
  );
}

/** The thresholds of a config, without the profile's name. */
export function pickThresholds({ profile: _profile, ...thresholds }: SentimentConfig["debate_override"]): Thresholds {
  return thresholds;
}
