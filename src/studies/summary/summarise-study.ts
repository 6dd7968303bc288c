import type { Scorecard, StudyManifest } from "../results/results.ts";
import { type ArmData, type ArmSummary, collectArmData, type RateMeasure, summariseArm } from "./summarise-arm.ts";
import { type Comparison, compareArms, reachVerdict, type Verdict } from "./verdict.ts";

/** A study as numbers and words: what every report is drawn from. */
export type StudySummary = {
  manifest: StudyManifest;
  /** The reference first, then its controls, then the others. */
  arms: ArmSummary[];
  comparisons: Comparison[];
  verdict: Verdict;
  /** Runs that were planned and have no result yet. */
  missing: number;
};

const order = { reference: 0, control: 1, arm: 2 };

/** Summarises all scorecards of a study. */
export function summariseStudy(
  manifest: StudyManifest,
  scorecards: readonly Scorecard[],
  measure?: RateMeasure,
): StudySummary {
  const planned = manifest.arms.toSorted((a, b) => order[a.kind] - order[b.kind]);
  const data = planned.map((arm) => collectArmData(arm.name, scorecards));
  const arms = planned.map((arm, i) => summariseArm(arm, data[i] as ArmData, measure));
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
