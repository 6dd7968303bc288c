import type { Scorecard, StudyManifest } from "../results/results.ts";
import { type ArmData, type ArmSummary, collectArmData, type RateMeasure, summariseArm } from "./summarise-arm.ts";
import { type Comparison, compareArms, reachVerdict, type Verdict } from "./verdict.ts";

export type StudySummary = {
  manifest: StudyManifest;
  /** The reference first, then its controls, then the others. */
  arms: ArmSummary[];
  comparisons: Comparison[];
  verdict: Verdict;
  missing: number;
};

const order = { reference: 0, control: 1, arm: 2 };

export function summariseStudy(
  manifest: StudyManifest,
  scorecards: readonly Scorecard[],
  measure?: RateMeasure,
): StudySummary {
  const planned = manifest.arms.toSorted((a, b) => order[a.kind] - order[b.kind]);
  const data = planned.map((arm) => collectArmData(arm.name, scorecards));
  const arms = borrowPanels(planned.map((arm, i) => summariseArm(arm, data[i] as ArmData, measure)));
  const [reference, ...others] = data;
  const comparisons = reference ? compareArms(reference, others, manifest.dataset.cases) : [];
  const total = planned.length * manifest.dataset.cases * manifest.seeds.length;
  const missing = total - scorecards.length;
  return {
    manifest,
    arms,
    comparisons,
    verdict: reachVerdict(arms, comparisons, manifest, { missing, total }),
    missing,
  };
}

/** An arm that stops asking has the same speakers as one that asked them all: what they are worth is known from there. */
function borrowPanels(arms: ArmSummary[]): ArmSummary[] {
  const isSame = (one: ArmSummary, other: ArmSummary): boolean =>
    new Set([...one.speakers, ...other.speakers]).size === one.speakers.length &&
    one.speakers.length === other.speakers.length;
  return arms.map((one) =>
    one.panel || one.speakers.length < 2
      ? one
      : { ...one, panel: arms.find((other) => other.panel && isSame(one, other))?.panel ?? null },
  );
}
