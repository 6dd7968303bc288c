import * as z from "zod";
import { BudgetSchema } from "../../contract/budget.ts";

/** What an arm is in the comparison: the one that all are compared with, a built-in control, or another arm. */
export const ArmKindSchema = z.enum(["reference", "control", "arm"]);

/** An arm as it ran: its config completed by the pack, and the hash of it. */
export const PlannedArmSchema = z.strictObject({
  name: z.string(),
  kind: ArmKindSchema,
  about: z.string().nullable(),
  /** What differs from the pack's defaults, as the study file and the control say it. */
  settings: z.record(z.string(), z.unknown()),
  config_hash: z.string(),
  cast: z.string(),
  /** The arm whose turns this one decides on again. */
  redecide: z.string().nullable(),
});
export type PlannedArm = z.infer<typeof PlannedArmSchema>;

/** `manifest.json`: what a study ran, by version and by hash, so that a result can be traced and repeated. */
export const StudyManifestSchema = z.strictObject({
  version: z.literal(1),
  study: z.string(),
  /** What the runs of this study are filed under in the store. */
  batch: z.string(),
  about: z.string().nullable(),
  pack: z.string(),
  code: z.strictObject({ parley: z.string(), commit: z.string().nullable() }),
  study_hash: z.string(),
  prompt_hashes: z.record(z.string(), z.string()),
  dataset: z.strictObject({
    path: z.string(),
    hash: z.string(),
    cases: z.int(),
    with_gold: z.int(),
    notes: z.array(z.string()),
  }),
  arms: z.array(PlannedArmSchema).min(1),
  /** Controls that make no sense here, and why. */
  left_out: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
  models: z.array(z.string()),
  seeds: z.array(z.int()),
  primary: z.string(),
  metrics: z.array(z.string()).nullable(),
  budget: BudgetSchema,
  run_budget: BudgetSchema,
  /** What a reader must know about how the results came about. */
  notes: z.array(z.string()),
  started_at: z.string(),
});
export type StudyManifest = z.infer<typeof StudyManifestSchema>;
