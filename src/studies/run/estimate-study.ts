import type { CastOptions } from "../../players/endpoints.ts";
import { parseCast, playerNameOf } from "../../players/cast.ts";
import type { CastOf } from "../../runs/start.ts";
import {
  type Estimate,
  type EstimateRow,
  estimateRun,
  noEstimate,
  scaleEstimate,
  sumEstimates,
} from "../../runs/estimate.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { loadDataset, type StudyCase } from "../datasets/load-dataset.ts";
import type { Study } from "./study-file.ts";
import { type ArmPlan, planArms } from "./plan-arms.ts";

type StudyEstimate = { rows: EstimateRow[]; runs: number; played: number; cases: number };

const mostPlayed = 10;

/** Estimates a study from its first cases. Arms on recorded turns are free; sampling costs as much as the reference. */
export async function estimateStudy(
  study: Study,
  pack: AnyPack,
  folder: string,
  options: CastOptions & { signal?: AbortSignal },
): Promise<StudyEstimate> {
  const dataset = await loadDataset(study.dataset, pack, folder);
  const { arms } = await planArms(study, pack, castWithoutKeys(options));
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

/** A cast for names only: nobody is asked, so no key is needed. */
function castWithoutKeys(options: CastOptions): CastOf {
  return async (text, roles) => {
    const plan = parseCast(
      text,
      roles.map(({ name }) => name),
      { ...options, roles },
    );
    return (role) => {
      const player = plan.roles[role] ?? { kind: "expert" };
      return {
        id: playerNameOf(player),
        deterministic: player.kind === "expert" || player.kind === "recorded",
        play: () => Promise.reject(new Error("a dry run asks nobody")),
      };
    };
  };
}
