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

/** True for evidence filed with a challenge: only roles asked with the challenge see it. */
export function isFiled(id: string | number): boolean {
  return /^challenge:\d+$/.test(String(id));
}

/** Marks the list in a material to which a challenge's evidence is added, so that it can be cited. */
export type Admits = { admit(id: string, text: string): unknown };

/** Lists the files that a config names; a server's clients may name none that its owner has not. */
export type NamesFiles<C> = { filesOf(config: C): string[] };

/** The request of a run; its hash is the first link of the journal. */
export const ManifestSchema = z.strictObject({
  version: z.literal(1),
  parley: z.string(),
  pack: z.string(),
  packFrom: z.string().optional(),
  input: z.unknown(),
  /** The config as given, and with defaults filled in. */
  given: z.unknown(),
  config: z.unknown(),
  cast: z.string(),
  seed: z.int(),
  budget: BudgetSchema,
  parent: z.strictObject({ run: z.string(), from: z.string() }).nullable(),
  challenge: ChallengeSchema.optional(),
});
export type Manifest = z.infer<typeof ManifestSchema>;

/** `running` includes a run whose process died: it can be resumed. */
export const RunStatusSchema = z.enum(["running", "waiting", "interrupted", "finished"]);
export type RunStatus = z.infer<typeof RunStatusSchema>;

/** A run in the store; head hash and entry count protect the end of the journal. */
export const RunSchema = z.strictObject({
  id: z.string(),
  manifest: ManifestSchema,
  caseId: z.string().nullable(),
  /** Equal for equal pack, input, config, cast, seed and budget, so that a batch finds finished work. */
  key: z.string(),
  batch: z.string().nullable(),
  status: RunStatusSchema,
  outcome: OutcomeSchema.nullable(),
  createdAt: z.string(),
  headHash: z.string(),
  entryCount: z.int(),
});
export type Run = z.infer<typeof RunSchema>;

/** The longest claim of a person. One that ends later was made by a clock that has since been set back. */
export const longestClaimMs = 86_400_000;
