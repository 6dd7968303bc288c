import * as z from "zod";
import { ActAboveSchema } from "../../engine/define-pack.ts";

/** Settings of a law debate (law spec §4.5); the defaults are the spec's. */
export const LawConfigSchema = z
  .strictObject({
    protocol: z
      .enum(["debate", "single", "self_consistency"])
      .default("debate")
      .describe("debate; or a control: one agent alone, or one agent sampled and a vote"),
    critique: z.boolean().default(true).describe("false: the agents answer once and nobody criticises (an ablation)"),
    rounds: z
      .int()
      .min(1)
      .max(3)
      .default(2)
      .describe("planned rounds: stable answers alone do not end the debate earlier; 1 means no revision"),
    max_rounds: z
      .int()
      .min(1)
      .max(3)
      .default(3)
      .describe("rounds beyond the planned ones need an open CRITICAL or MAJOR critique"),
    stability: z.strictObject({ threshold: z.number().min(0).max(1).default(0.15) }).prefault({}),
    retrieval: z.strictObject({ limit: z.int().min(1).max(100).default(12) }).prefault({}),
    samples: z.int().min(1).max(99).default(3).describe("how often self_consistency asks"),
    act_above: ActAboveSchema,
  })
  .refine(({ rounds, max_rounds }) => max_rounds >= rounds, {
    path: ["max_rounds"],
    message: "must not be below rounds",
  });
export type LawConfig = z.infer<typeof LawConfigSchema>;
