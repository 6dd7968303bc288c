import * as z from "zod";
import { ActAboveSchema } from "../../engine/define-pack.ts";
import type { StopLimits } from "./rules/stop.ts";
import { ReasonerNameSchema } from "./schemas/hypothesis.ts";

/** Past incidents a debate may use, and facts not to match on (root-cause spec §3.4). */
const KnowledgeConfigSchema = z.strictObject({
  enabled: z.boolean().default(true),
  starter: z.boolean().default(true),
  similar: z.int().min(1).max(50).default(5),
  paths: z.int().min(0).max(50).default(5),
  patterns: z.int().min(0).max(50).default(5),
  exclude_ids: z.array(z.string().min(1)).default([]),
  /** Leaves out incidents whose context contains all pairs of one of these, e.g. `{cluster: a, day: 2024-05-01}`. */
  exclude_context: z.array(z.record(z.string(), z.string())).default([]),
  hide: z.array(z.string().min(1)).default([]),
});

export const RootCauseConfigSchema = z.strictObject({
  protocol: z.enum(["debate", "single", "vote", "self_consistency"]).default("debate"),
  /** The speaker of `single` and `self_consistency`. */
  reasoner: ReasonerNameSchema.default("hybrid"),
  samples: z.int().min(1).max(50).default(3),
  max_rounds: z.int().min(1).max(10).default(3),
  plateau_points: z.number().min(0).max(100).default(5),
  /** The seed document's name for `plateau_points`; takes precedence if given. */
  convergence_threshold: z.number().min(0).max(100).optional(),
  consensus_dice: z.number().min(0).max(1).default(0.5),
  judge: z.strictObject({ swap: z.boolean().default(false) }).prefault({}),
  knowledge: KnowledgeConfigSchema.prefault({}),
  log_tokens: z.int().min(200).max(200_000).default(4000),
  act_above: ActAboveSchema,
});
export type RootCauseConfig = z.infer<typeof RootCauseConfigSchema>;

export function readLimits({ convergence_threshold, ...config }: RootCauseConfig): StopLimits {
  return { ...config, plateau_points: convergence_threshold ?? config.plateau_points };
}
