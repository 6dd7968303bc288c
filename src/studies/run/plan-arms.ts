import { ParleyError } from "../../contract/error.ts";
import { hashValue } from "../../engine/hash.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { checkValue } from "../../runs/settings.ts";
import { narrowCast, parseCast, playerNameOf } from "../../players/cast.ts";
import type { CastOf } from "../../runs/start.ts";
import type { PlannedArm } from "../results/results.ts";
import { type ArmSpec, type ControlName, controlNames, type Study, usualControls } from "./study-file.ts";
import { isRecord } from "../../text/json.ts";
import type { CastOptions } from "../../players/endpoints.ts";
import {
  type Estimate,
  type EstimateRow,
  estimateRun,
  noEstimate,
  scaleEstimate,
  sumEstimates,
} from "../../runs/estimate.ts";
import { loadDataset, type StudyCase } from "../datasets/load-dataset.ts";

/** An arm ready to run; `samples` makes the settings of a self-consistency run. */
export type ArmPlan = PlannedArm & {
  control: ControlName | null;
  players: string[];
  deterministic: boolean;
  samples: ((count: number) => unknown) | null;
};

export type ArmsPlan = { arms: ArmPlan[]; leftOut: { name: string; reason: string }[] };

export async function planArms(study: Study, pack: AnyPack, castOf: CastOf): Promise<ArmsPlan> {
  const reference = pickReference(study);
  const own = await Promise.all(
    study.arms.map((arm) => {
      const draft: Draft = {
        name: arm.name,
        kind: arm === reference ? "reference" : arm.control ? "control" : "arm",
        settings: mergeSettings(study.config, arm.config ?? {}),
        cast: arm.cast ?? study.cast,
        redecide: arm.redecide ?? null,
      };
      return planArm(pack, castOf, draft, arm !== reference && arm.cast === undefined);
    }),
  );
  const main = own.find((arm) => arm.kind === "reference") as ArmPlan;
  const wanted = withSingle(study.controls ?? [...usualControls]);
  const planned = await Promise.all(wanted.map((name) => planControl(name, pack, castOf, main)));
  return placeControls(own, planned);
}

type Draft = Omit<PlannedArm, "config_hash">;

/** The arm that the others and the controls are compared with: the first with turns of its own. */
function pickReference(study: Study): ArmSpec {
  return study.arms.find((arm) => arm.redecide === undefined) ?? (study.arms[0] as ArmSpec);
}

/** Sampling arms need the cost of one sample, which only the single control gives. */
function withSingle(names: ControlName[]): ControlName[] {
  return controlNames.filter(
    (name) => names.includes(name) || (name === "single" && names.includes("self_consistency")),
  );
}

async function planArm(pack: AnyPack, castOf: CastOf, draft: Draft, isShared: boolean): Promise<ArmPlan> {
  const what = `arm "${draft.name}": config of the ${pack.name} pack`;
  const config: unknown = checkValue(pack.config, draft.settings, what, "bad_config");
  const roles = pack.roles(config);
  const names = roles.map(({ name }) => name);
  const text = isShared ? narrowCast(draft.cast, names) : draft.cast;
  const cast = await castOf(text, roles, {}).catch((error: unknown) => {
    if (!(error instanceof ParleyError)) throw error;
    throw new ParleyError(error.code, `arm "${draft.name}": ${error.message}`, { cause: error });
  });
  const players = roles.map((role) => cast(role.name));
  return {
    ...draft,
    cast: text,
    config_hash: hashValue(config),
    control: null,
    players: [...new Set(players.map(({ id }) => id))].sort(),
    deterministic: players.every(({ deterministic }) => deterministic),
    samples: null,
  };
}

type Control = ArmPlan | { name: ControlName; reason: string };

async function planControl(name: ControlName, pack: AnyPack, castOf: CastOf, main: ArmPlan): Promise<Control> {
  const isSampling = name === "self_consistency";
  if (makeControl(pack, name) === null) return { name, reason: `the ${pack.name} pack has no such control` };
  if (isSampling && main.deterministic)
    return { name, reason: "the players are deterministic, so every sample would be the same answer" };
  const settingsOf = (samples: number): Record<string, unknown> =>
    mergeSettings(main.settings, makeControl(pack, name, samples) ?? { samples });
  const draft = { name, kind: "control" as const, settings: settingsOf(1), cast: main.cast, redecide: null };
  const plan = await planArm(pack, castOf, draft, true);
  return { ...plan, control: name, samples: isSampling ? settingsOf : null };
}

/** The settings of a control; null where the pack has none. */
export function makeControl(pack: AnyPack, name: ControlName, samples = 1): Record<string, unknown> | null {
  const settings = { protocol: name, ...(name === "self_consistency" ? { samples } : {}) };
  const parsed = pack.config.safeParse(settings);
  return parsed.success && isRecord(parsed.data) && parsed.data.protocol === name ? settings : null;
}

/** A control identical to an arm becomes that arm's label; one identical to the reference is dropped. */
function placeControls(own: ArmPlan[], planned: Control[]): ArmsPlan {
  const arms = [...own];
  const leftOut: ArmsPlan["leftOut"] = [];
  for (const control of planned) {
    if ("reason" in control) {
      leftOut.push(control);
      continue;
    }
    const isSame = ({ redecide, config_hash, cast }: ArmPlan): boolean =>
      control.samples === null && redecide === null && config_hash === control.config_hash && cast === control.cast;
    const at = arms.findIndex(isSame);
    const twin = arms[at];
    if (!twin) arms.push(control);
    else if (twin.kind === "reference")
      leftOut.push({ name: control.name, reason: `it would be the same as ${twin.name}` });
    else arms[at] = { ...twin, kind: "control" };
  }
  return { arms, leftOut };
}

type Settings = Record<string, unknown>;

export function mergeSettings(base: Settings, over: Settings): Settings {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? mergeSettings(before, value) : value;
  }
  return merged;
}

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
