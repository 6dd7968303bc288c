import * as z from "zod";
import { BudgetSchema, UsageSchema, WorstCaseSchema } from "../../contract/budget.ts";
import { OutcomeSchema } from "../../contract/result.ts";
import { hashValue } from "../../engine/hash.ts";
import type { AnyPack, Measure } from "../../engine/pack.ts";
import { isRecord } from "../../text/json.ts";
import { makeFolder, placeIn, replaceFile, takeFileLease, writeError } from "../../store/replace-file.ts";
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../contract/error.ts";

export const JobKeySchema = z.strictObject({ arm: z.string(), case_id: z.string(), seed: z.int() });
export type JobKey = z.infer<typeof JobKeySchema>;

/** A role's position and whether it was right; `correct` is null without gold. */
export const JudgedPositionSchema = z.strictObject({
  round: z.int(),
  role: z.string(),
  item: z.string().nullable(),
  answer: z.string(),
  correct: z.boolean().nullable(),
});
export type JudgedPosition = z.infer<typeof JudgedPositionSchema>;

/** `usage` of finished turns, `spend` of all calls; `calls_saved` counts turns reused from another arm. */
export const CostSchema = z.strictObject({
  usage: UsageSchema,
  spend: WorstCaseSchema,
  calls_saved: z.int(),
});

/** One line of `results.jsonl`: a run's result and score, with everything the report needs. */
export const ScorecardSchema = z.strictObject({
  ...JobKeySchema.shape,
  run_id: z.string().nullable(),
  outcome: OutcomeSchema,
  reasons: z.array(z.string()),
  decision: z.unknown(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** Why the run is not counted; null when it ended by its own rules. */
  failure: z.enum(["failed", "out of budget", "unreadable"]).nullable(),
  scores: z.record(z.string(), z.number().nullable()).nullable(),
  /** The primary metric, 0 without a decision; null without gold, after a failure, or where it does not apply. */
  primary: z.number().nullable(),
  right: z.boolean().nullable(),
  confidence: z.number().nullable(),
  tally: z.record(z.string(), z.number()),
  positions: z.array(JudgedPositionSchema),
  cost: CostSchema,
  samples: z.int().nullable(),
});
export type Scorecard = z.infer<typeof ScorecardSchema>;

export const ArmKindSchema = z.enum(["reference", "control", "arm"]);

export const PlannedArmSchema = z.object({
  name: z.string(),
  kind: ArmKindSchema,
  settings: z.record(z.string(), z.unknown()),
  config_hash: z.string(),
  cast: z.string(),
  redecide: z.string().nullable(),
});
export type PlannedArm = z.infer<typeof PlannedArmSchema>;

/** `manifest.json`: versions and hashes of everything a study ran, so that a result can be traced and repeated. */
export const StudyManifestSchema = z.strictObject({
  version: z.literal(1),
  study: z.string(),
  /** The batch name of the study's runs in the store. */
  batch: z.string(),
  about: z.string().nullable(),
  pack: z.string(),
  code: z.object({ parley: z.string() }),
  study_hash: z.string(),
  prompt_hashes: z.record(z.string(), z.string()),
  dataset: z.strictObject({
    path: z.string(),
    hash: z.string(),
    cases: z.int(),
    with_gold: z.int(),
    notes: z.array(z.string()),
    made_up: z.boolean(),
  }),
  arms: z.array(PlannedArmSchema).min(1),
  left_out: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
  models: z.array(z.string()),
  seeds: z.array(z.int()),
  primary: z.string(),
  budget: BudgetSchema,
  run_budget: BudgetSchema,
  notes: z.array(z.string()),
  started_at: z.string(),
});
export type StudyManifest = z.infer<typeof StudyManifestSchema>;

export function measureOf(pack: AnyPack): Measure<unknown, unknown> {
  return pack.measure ?? plainMeasure;
}

const plainMeasure: Measure<unknown, unknown> = {
  gold: z.unknown(),
  primary: "same as gold",
  score: (decision, gold) => ({ "same as gold": hasAll(decision, gold) ? 1 : 0 }),
};

/** True when a value contains everything in gold: objects may have more keys, everything else is equal. */
function hasAll(value: unknown, gold: unknown): boolean {
  if (!isRecord(gold)) return hashValue(value ?? null) === hashValue(gold ?? null);
  return isRecord(value) && Object.entries(gold).every(([key, wanted]) => hasAll(value[key], wanted));
}

export type StudyFolder = ReturnType<typeof openStudyFolder>;

export function jobIdOf({ arm, case_id, seed }: JobKey): string {
  return JSON.stringify([arm, case_id, seed]);
}

export function openStudyFolder(path: string, keep: (card: Scorecard) => boolean = () => true) {
  makeFolder(path);
  const manifest = readManifest(path);
  const file = placeIn(path, "results.jsonl");
  const scorecards = [...readCards(path).values()].filter(keep);
  const ids = new Set(scorecards.map(jobIdOf));
  const rewrite = (): void => replaceFile(file, scorecards.map(writeLine).join(""));
  rewrite();
  const handle = openSync(file, "a");
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  return {
    path,
    manifest,
    scorecards,
    has: (key: JobKey): boolean => ids.has(jobIdOf(key)),
    add(card: Scorecard): void {
      try {
        writeFileSync(handle, writeLine(card));
      } catch (error) {
        throw writeError(file, error, "the runs are in the store");
      }
      ids.add(jobIdOf(card));
      scorecards.push(card);
    },
    writeManifest: (value: StudyManifest): void =>
      replaceFile(placeIn(path, "manifest.json"), `${JSON.stringify(value, null, 2)}\n`),
    finish(orderOf: (key: JobKey) => number): void {
      fsyncSync(handle);
      close();
      scorecards.sort((a, b) => orderOf(a) - orderOf(b));
      rewrite();
    },
    close,
  };
}

/** Writes keys in the order of the schema. */
function writeLine(card: Scorecard): string {
  return `${JSON.stringify(ScorecardSchema.parse(card))}\n`;
}

export function readStudyFolder(path: string): { manifest: StudyManifest; scorecards: Scorecard[] } {
  const manifest = readManifest(path);
  if (!manifest) throw new ParleyError("bad_input", `${path} holds no study: there is no manifest.json in it`);
  return { manifest, scorecards: [...readCards(path).values()] };
}

export function listStudyFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "manifest.json")))
    .sort();
}

function readManifest(path: string): StudyManifest | null {
  const file = placeIn(path, "manifest.json");
  if (!existsSync(file)) return null;
  try {
    return StudyManifestSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (cause) {
    throw new ParleyError(
      "bad_input",
      `${file} is not a manifest that this Parley can read; choose another --out, or remove the folder`,
      { cause },
    );
  }
}

/** Reads results by job; a last line cut off by a crash is ignored. */
function readCards(path: string): Map<string, Scorecard> {
  const file = placeIn(path, "results.jsonl");
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  const cards = lines.flatMap((line) => {
    const parsed = ScorecardSchema.safeParse(parseLine(line));
    return parsed.success ? [parsed.data] : [];
  });
  return new Map(cards.map((card) => [jobIdOf(card), card]));
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export function lockStudy(folder: string): () => void {
  const file = join(folder, "study.lock");
  const what = `the study in ${folder} is being run`;
  try {
    return takeFileLease(file, { what, advice: "wait for it, or choose another --out" });
  } catch (error) {
    throw writeError(file, error, "nothing was begun");
  }
}
