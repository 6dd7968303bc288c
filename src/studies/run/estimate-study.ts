import type { CastOptions } from "../../players/seat.ts";
import { castOfStrings } from "../../runs/cast.ts";
import {
  type Estimate,
  type EstimateRow,
  estimateRun,
  noEstimate,
  scaleEstimate,
  sumEstimates,
} from "../../runs/estimate.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { memoryStore } from "../../store/memory-store.ts";
import { loadDataset } from "../datasets/load-dataset.ts";
import type { StudyCase } from "../datasets/dataset-schema.ts";
import type { Study } from "./study-file.ts";
import { type ArmPlan, planArms } from "./plan-arms.ts";

/** What a study would cost, arm by arm, and how many runs it has. */
export type StudyEstimate = { rows: EstimateRow[]; runs: number; played: number; cases: number };

/** How many cases are played; the rest is reckoned from them. */
const mostPlayed = 10;

/** Estimates a study from its first cases; arms on recorded turns are free, and samples cost what the reference costs. */
export async function estimateStudy(
  study: Study,
  pack: AnyPack,
  folder: string,
  options: CastOptions & { signal?: AbortSignal },
): Promise<StudyEstimate> {
  const dataset = await loadDataset(study.dataset, pack, folder);
  const { arms } = await planArms(study, pack, castOfStrings(memoryStore(), options));
  const cases = dataset.cases.slice(0, mostPlayed);
  const runs = dataset.cases.length * study.seeds.length;
  const rows: EstimateRow[] = [];
  for (const arm of arms) {
    if (arm.redecide !== null) continue;
    const like = arm.samples === null ? arm : (arms.find((one) => one.kind === "reference") ?? arm);
    const own = await estimateArm(pack, like, cases, options);
    const scaled = scaleEstimate(own, runs / Math.max(1, cases.length));
    if (scaled.most.calls > 0) rows.push({ ...scaled, name: arm.name, player: arm.players.join(", ") });
  }
  return { rows, runs: runs * arms.length, played: cases.length, cases: dataset.cases.length };
}

async function estimateArm(
  pack: AnyPack,
  { settings, cast }: ArmPlan,
  cases: readonly StudyCase[],
  options: CastOptions & { signal?: AbortSignal },
): Promise<Estimate> {
  const each: Estimate[] = [];
  for (const one of cases)
    each.push(
      sumEstimates(await estimateRun({ pack, input: one.input, config: settings, cast }, options, options.signal)),
    );
  return sumEstimates([noEstimate, ...each]);
}
