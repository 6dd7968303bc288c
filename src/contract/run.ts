import * as z from "zod";
import { BudgetSchema } from "./budget.ts";
import { OutcomeSchema } from "./result.ts";

const ChallengeSchema = z.strictObject({
  by: z.string(),
  statement: z.string(),
  evidence: z.array(z.string()),
  turns: z.array(z.string()),
});
export type Challenge = z.infer<typeof ChallengeSchema>;

export function nameFiled(number: number): string {
  return `challenge:${number}`;
}

/** True for evidence that was filed with a challenge: only whoever is asked with the challenge is told of it. */
export function isFiled(id: string | number): boolean {
  return /^challenge:\d+$/.test(String(id));
}

/** Marks the list of a material to which a challenge's evidence is added, so that it can be cited. */
export type Admits = { admit(id: string, text: string): unknown };

/** What a run was started with; its hash is the first link of the journal. */
export const ManifestSchema = z.strictObject({
  version: z.literal(1),
  parley: z.string(),
  pack: z.string(),
  packFrom: z.string().optional(),
  input: z.unknown(),
  /** The pack's config as it was given, and as it was completed with defaults. */
  given: z.unknown(),
  config: z.unknown(),
  cast: z.string(),
  seed: z.int(),
  budget: BudgetSchema,
  parent: z.strictObject({ run: z.string(), from: z.string() }).nullable(),
  challenge: ChallengeSchema.optional(),
});
export type Manifest = z.infer<typeof ManifestSchema>;

/** `running` also stands for a run whose process died: it can be resumed. */
export const RunStatusSchema = z.enum(["running", "waiting", "interrupted", "finished"]);
export type RunStatus = z.infer<typeof RunStatusSchema>;

/** A run as the store knows it; head hash and entry count vouch for the journal's tail. */
export const RunSchema = z.strictObject({
  id: z.string(),
  manifest: ManifestSchema,
  caseId: z.string().nullable(),
  /** Equal for equal pack, input, config, cast, seed and budget: lets a batch find what it already did. */
  key: z.string(),
  batch: z.string().nullable(),
  status: RunStatusSchema,
  outcome: OutcomeSchema.nullable(),
  createdAt: z.string(),
  headHash: z.string(),
  entryCount: z.int(),
});
export type Run = z.infer<typeof RunSchema>;
