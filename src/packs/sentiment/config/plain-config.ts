/** What may be written in the pack's config: strict, with a default for everything that does not depend on something else. */
import * as z from "zod";
import { ActAboveSchema } from "../../../engine/define-pack.ts";
import { defaultLayers } from "../../../knowledge/opinions/index.ts";
import { PersonaSchema, StyleSchema } from "../schemas/debate.ts";
import { conditions, EpisodeSchema } from "../schemas/memory.ts";
import { profileNames } from "./profiles.ts";

const InjectionSchema = z.strictObject({
  strategy: z.enum(["during_debate_one_shot"]).default("during_debate_one_shot"),
  trigger: z.enum(["deadlock_obs2of4"]).default("deadlock_obs2of4"),
  allow_multiple_injections: z.boolean().default(false),
});

const DebateConfigSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** Debate and review every text, or only those of which Stage 1 leaves a doubt. */
  when: z.enum(["always", "disagreement"]).default("always"),
  /** Below this confidence a sentiment of Stage 1 is a doubt. */
  sure_from: z.number().min(0).max(1).default(0.7),
  style: StyleSchema.default("patch"),
  rounds: z.int().min(1).max(128).optional(),
  max_rounds: z.int().min(1).max(128).default(3),
  order: z.array(z.string()).min(1).optional(),
  personas: z.record(z.string(), PersonaSchema.partial()).default({}),
  injection: InjectionSchema.prefault({}),
});

const OverrideConfigSchema = z.strictObject({
  profile: z.enum(profileNames).default("t0"),
  min_total: z.number().nonnegative().optional(),
  min_margin: z.number().nonnegative().optional(),
  min_target_conf: z.number().min(0).max(1).optional(),
  ev_threshold: z.number().min(0).max(1).optional(),
  l3_conservative: z.boolean().optional(),
});

const EvWeightsSchema = z.strictObject({
  debate_support: z.number().nonnegative().default(0.6),
  validator_resolved: z.number().nonnegative().default(0.2),
  grounding_improvement: z.number().nonnegative().default(0.1),
  alignment_improvement: z.number().positive().default(0.1),
});

const WarningThresholdsSchema = z.strictObject({
  coverage_warn: z.number().default(0.4),
  coverage_high: z.number().default(0.25),
  no_match_warn: z.number().default(0.4),
  no_match_high: z.number().default(0.6),
  neutral_warn: z.number().default(0.4),
  neutral_high: z.number().default(0.6),
});

const LayerNameSchema = z.string().min(1);

/** What the experts read each language with: "default", "off", or the file of a learnt layer (sentiment spec §2). */
const LearntSchema = z.strictObject({
  en: LayerNameSchema.default(defaultLayers.en),
  ko: LayerNameSchema.default(defaultLayers.ko),
});

const enabled = z.boolean().default(true);

export const PlainConfigSchema = z.strictObject({
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
  ev_weights: EvWeightsSchema.prefault({}),
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
  debate_thresholds: WarningThresholdsSchema.prefault({}),
  learnt: LearntSchema.prefault({}),
  act_above: ActAboveSchema,
});
export type PlainConfig = z.infer<typeof PlainConfigSchema>;
