import type { Scorecard } from "../results/scorecard.ts";
import type { PlannedArm, StudyManifest } from "../results/study-manifest.ts";
import { detectableAccuracyDifference } from "../statistics/detectable-effect.ts";
import { collectArmData } from "./arm-data.ts";
import { type Comparison, compareArms } from "./compare-arms.ts";
import type { RateMeasure } from "./estimate-rates.ts";
import { type SplitComparison, estimateGate } from "./estimate-gate.ts";
import { type StratumTable, summariseStrata } from "./summarise-strata.ts";
import { type ArmSummary, summariseArm } from "./summarise-arm.ts";
import { type Verdict, reachVerdict } from "./reach-verdict.ts";

/** The smallest difference that can be found, if the arms differ on this share of the cases. */
export type Detectable = { discordance: number; difference: number | null };

/** A study as numbers and words: what both reports are drawn from. */
export type StudySummary = {
  manifest: StudyManifest;
  /** The reference first, then its controls, then the others. */
  arms: ArmSummary[];
  comparisons: Comparison[];
  strata: StratumTable[];
  gate: SplitComparison | null;
  detectable: Detectable[];
  verdict: Verdict;
  /** Runs that were planned and have no result yet. */
  missing: number;
  /** Metrics that the study file names and the pack does not have. */
  unknownMetrics: string[];
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
  const arms = planned.map((arm, i) => summariseArm(arm, data[i] as (typeof data)[number], measure));
  const [reference, ...others] = data;
  const comparisons = reference ? compareArms(reference, others, measure) : [];
  return {
    manifest,
    arms,
    comparisons,
    strata: reference ? summariseStrata(reference, others) : [],
    gate: reference
      ? estimateGate(
          reference,
          data.find((_, i) => isVote(planned[i])),
        )
      : null,
    detectable: listDetectableEffects(manifest.dataset.with_gold),
    verdict: reachVerdict(arms, comparisons, manifest.left_out),
    unknownMetrics: (manifest.metrics ?? []).filter(
      (name) => !arms.some((one) => name in one.metrics || name in one.rates),
    ),
    missing: planned.length * manifest.dataset.cases * manifest.seeds.length - scorecards.length,
  };
}

function isVote(arm: PlannedArm | undefined): boolean {
  return arm?.kind === "control" && arm.name === "vote";
}

/** What a study of this size can find at all (two-sided 5 %, power 80 %); said before it runs. */
export function listDetectableEffects(cases: number): Detectable[] {
  return [0.05, 0.1, 0.2, 0.3].map((discordance) => ({
    discordance,
    difference: detectableAccuracyDifference(cases, discordance),
  }));
}
