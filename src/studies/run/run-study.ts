import { openMeteredLevel, withBudgets } from "../../runs/budgets.ts";
import { makeFolder } from "../../store/replace-file.ts";
import { ParleyError } from "../../contract/error.ts";
import { sumWorstCases } from "../../engine/budget.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { mapInOrder, readSpent } from "../../runs/batch.ts";
import type { CastOf, RunSetting } from "../../runs/start.ts";
import { loadDataset, type Dataset } from "../datasets/load-dataset.ts";
import {
  jobIdOf,
  type JobKey,
  lockStudy,
  measureOf,
  openStudyFolder,
  type PlannedArm,
  type StudyFolder,
  type StudyManifest,
} from "../results/results.ts";
import type { Study } from "./study-file.ts";
import { type ArmPlan, planArms, type ArmsPlan } from "./plan-arms.ts";
import { needsOtherArms, type PlannedJob, planJobs, planReadyJob, type JobSetting, runJob } from "./jobs.ts";
import { randomBytes } from "node:crypto";
import { hashValue, sha256 } from "../../engine/hash.ts";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { locatePackOrigin } from "../../packs/registry.ts";
import { version } from "../../runs/read-run.ts";

export type StudyProgress = {
  done: number;
  before: number;
  total: number;
  failed: number;
  tokens: number;
  costUsd: number | null;
};

export type StudyOptions = {
  study: Study;
  pack: AnyPack;
  folder: string;
  out: string;
  runs: RunSetting;
  retryFailed?: boolean;
  onPlanned?(manifest: StudyManifest, jobs: { total: number; done: number }): void;
  onProgress?(progress: StudyProgress): void;
};

export type StudyRun = Awaited<ReturnType<typeof runStudy>>;

export async function runStudy(options: StudyOptions) {
  const { study, pack, out, runs } = options;
  const dataset = await loadDataset(study.dataset, pack, options.folder);
  const plan = await planArms(study, pack, withStudyUsd(runs, study));
  makeFolder(out);
  const unlock = lockStudy(out);
  try {
    const folder = openStudyFolder(out, ({ outcome }) => !(options.retryFailed && outcome === "failed"));
    try {
      const manifest = makeStudyManifest(study, pack, dataset, plan, folder.manifest);
      folder.writeManifest(manifest);
      const jobs = [...planJobs(plan.arms, dataset.cases, study.seeds)];
      const played = await playJobs(options, { folder, manifest, jobs, arms: plan.arms });
      const order = new Map(jobs.map((job, i) => [jobIdOf(job.key), i]));
      folder.finish((key) => order.get(jobIdOf(key)) ?? jobs.length);
      const missing = jobs.filter((job) => !folder.has(job.key)).length;
      return { manifest, scorecards: folder.scorecards, missing, ...played };
    } catch (error) {
      folder.close();
      throw error;
    }
  } finally {
    unlock();
  }
}

type Session = { folder: StudyFolder; manifest: StudyManifest; jobs: PlannedJob[]; arms: ArmPlan[] };

async function playJobs(options: StudyOptions, session: Session): Promise<{ waiting: number; exhausted: boolean }> {
  const { study, pack, runs } = options;
  const { folder, manifest, jobs } = session;
  const budget = openMeteredLevel(study.budget ?? {}, "study");
  if (study.budget) {
    const earlier = await runs.store.list({ batch: manifest.batch });
    const spent = sumWorstCases(await Promise.all(earlier.map(({ id }) => readSpent(runs.store, id))));
    budget.carry(spent);
    await runs.workers?.limitBatch(manifest.batch, study.budget, spent);
  }
  const setting: JobSetting = {
    pack,
    runs: { ...runs, castOf: withBudgets(runs.castOf, [budget]) },
    batch: manifest.batch,
    runBudget: study.run_budget ?? {},
    retryFailed: options.retryFailed ?? false,
  };
  const missing = jobs.filter((job) => !folder.has(job.key));
  options.onPlanned?.(manifest, { total: jobs.length, done: jobs.length - missing.length });
  const counts = { waiting: 0, stopped: 0 };
  const play = playerOf(options, session, setting, (how) => (counts[how] += 1));
  // With workers, a run that ended without a result was stopped by the study's budget.
  const isExhausted = (): boolean => budget.isSpent() || (runs.workers !== undefined && counts.stopped > 0);
  const stopped = (): boolean => isExhausted() || runs.signal?.aborted === true;
  for (const later of [false, true]) {
    const ready = missing.filter((job) => needsOtherArms(job.arm) === later);
    for await (const _ of mapInOrder(takeUntil(ready, stopped), study.concurrency, play)) continue;
  }
  if (runs.signal?.aborted) throw new ParleyError("interrupted", "the study was interrupted");
  return { waiting: counts.waiting, exhausted: isExhausted() };
}

function playerOf(
  options: StudyOptions,
  { folder, arms, jobs }: Session,
  setting: JobSetting,
  onOpen: (how: "waiting" | "stopped") => void,
) {
  const cards = new Map(folder.scorecards.map((card) => [jobIdOf(card), card]));
  const before = cards.size;
  let failed = folder.scorecards.filter((card) => card.outcome === "failed").length;
  let spend = sumWorstCases(folder.scorecards.map(({ cost }) => cost.spend));
  return async (planned: PlannedJob): Promise<void> => {
    const job = planReadyJob(planned, { pack: setting.pack, arms, cardOf: (key: JobKey) => cards.get(jobIdOf(key)) });
    if (!job) return;
    const done = await runJob(setting, job);
    if (typeof done === "string") return onOpen(done);
    folder.add(done);
    cards.set(jobIdOf(done), done);
    if (done.outcome === "failed") failed += 1;
    spend = sumWorstCases([spend, done.cost.spend]);
    const { tokens, usd: costUsd } = spend;
    const now = { done: cards.size, before, total: jobs.length, failed, tokens, costUsd };
    options.onProgress?.(now);
  };
}

async function* takeUntil<T>(items: readonly T[], stopped: () => boolean): AsyncGenerator<T> {
  for (const item of items) {
    if (stopped()) return;
    yield item;
  }
}

function withStudyUsd({ castOf }: RunSetting, { budget }: Study): CastOf {
  return (text, roles, limits) =>
    castOf(text, roles, budget?.usd === undefined ? limits : { ...limits, usd: budget.usd });
}

/** Makes or continues a study's manifest; results of other data, arms or prompts are not mixed in. */
export function makeStudyManifest(
  study: Study,
  pack: AnyPack,
  dataset: Dataset,
  plan: ArmsPlan,
  earlier: StudyManifest | null,
): StudyManifest {
  const arms = plan.arms.map(({ control: _c, players: _p, deterministic: _d, samples: _s, ...arm }) => arm);
  const manifest: StudyManifest = {
    version: 1,
    study: study.study,
    batch: earlier?.batch ?? `study/${study.study}/${randomBytes(4).toString("hex")}`,
    about: study.about ?? null,
    pack: pack.name,
    code: { parley: version },
    study_hash: hashValue(study),
    prompt_hashes: hashPrompts(pack.name),
    dataset: {
      path: dataset.path,
      hash: dataset.hash,
      cases: dataset.cases.length,
      with_gold: dataset.cases.filter((one) => one.gold !== null).length,
      notes: dataset.notes,
      made_up: study.dataset.made_up,
    },
    arms,
    left_out: plan.leftOut,
    models: [...new Set(plan.arms.flatMap((arm) => arm.players))].sort(),
    seeds: study.seeds,
    primary: measureOf(pack).primary,
    budget: study.budget ?? {},
    run_budget: study.run_budget ?? {},
    notes: earlier?.notes ?? [],
    started_at: earlier?.started_at ?? new Date().toISOString(),
  };
  return earlier ? continueManifest(earlier, manifest) : manifest;
}

function continueManifest(earlier: StudyManifest, now: StudyManifest): StudyManifest {
  const changed = findChanges(earlier, now);
  if (changed.length > 0)
    throw new ParleyError(
      "bad_config",
      `the folder holds results of an earlier version of this study: ${changed.join("; ")}. Choose another --out, or remove the folder`,
    );
  const [before, after] = [earlier.code.parley, now.code.parley];
  const note = `Some results were made by Parley ${before}, later ones by ${after}.`;
  return before === after || now.notes.includes(note) ? now : { ...now, notes: [...now.notes, note] };
}

function findChanges(earlier: StudyManifest, now: StudyManifest): string[] {
  const isSame = (one: unknown, other: unknown): boolean => hashValue(one) === hashValue(other);
  const identity = ({ config_hash, cast, redecide }: PlannedArm) => ({ config_hash, cast, redecide });
  const arms = earlier.arms.flatMap((before) => {
    const after = now.arms.find((arm) => arm.name === before.name);
    if (!after) return [`arm "${before.name}" is gone`];
    return isSame(identity(after), identity(before)) ? [] : [`arm "${before.name}" has another config or cast`];
  });
  const named = earlier.study === now.study && earlier.pack === now.pack;
  return [
    ...(named ? [] : [`it is "${earlier.study}" of the ${earlier.pack} pack`]),
    ...(earlier.dataset.hash === now.dataset.hash ? [] : [`the dataset ${now.dataset.path} has changed`]),
    ...(isSame(earlier.prompt_hashes, now.prompt_hashes) ? [] : ["the pack's prompts have changed"]),
    ...(isSame(earlier.run_budget, now.run_budget) ? [] : ["run_budget differs"]),
    ...arms,
  ];
}

export function hashPrompts(pack: string): Record<string, string> {
  const home = locatePackOrigin(pack)?.url ?? new URL(`../../packs/${pack}/pack.ts`, import.meta.url);
  const folder = fileURLToPath(new URL("prompts/", home));
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { encoding: "utf8", recursive: true }).filter((name) => name.endsWith(".md"));
  return Object.fromEntries(names.sort().map((name) => [name, sha256(readFileSync(join(folder, name)))]));
}
