import type { Scorecard, StudyManifest } from "../results/results.ts";
import {
  type ArmData,
  type ArmSummary,
  collectArmData,
  type MetricSummary,
  type RateMeasure,
  summariseArm,
  summariseMean,
} from "./summarise-arm.ts";
import { type Comparison, compareArms, reachVerdict, type Verdict } from "./verdict.ts";

/** A study as numbers and words: what every report is drawn from. */
export type StudySummary = {
  manifest: StudyManifest;
  /** The reference first, then its controls, then the others. */
  arms: ArmSummary[];
  comparisons: Comparison[];
  strata: StratumTable[];
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
    strata: summariseStrata(data),
    verdict: reachVerdict(arms, comparisons, manifest, { missing, total }),
    missing,
  };
}

/** The primary metric of each arm on one group of cases (domain, difficulty, language…). */
export type StratumTable = {
  name: string;
  rows: { value: string; cases: number; arms: (MetricSummary | null)[] }[];
};

const mostGroups = 24;

/** The groups of cases, commonest first. */
function summariseStrata(arms: ArmData[]): StratumTable[] {
  const [reference] = arms;
  const names = new Set(reference?.cards.flatMap((card) => Object.keys(card.strata)));
  return [...names].map((name) => {
    const groups = Map.groupBy(reference?.cards ?? [], (card) => card.strata[name] ?? "–");
    const values = [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1)).slice(0, mostGroups);
    const rows = values.map(([value, own]) => ({
      value,
      cases: new Set(own.map(({ case_id }) => case_id)).size,
      arms: arms.map((arm) => {
        const cards = arm.cards.filter((card) => (card.strata[name] ?? "–") === value);
        return summariseMean(collectArmData(arm.name, cards), (card) => card.primary);
      }),
    }));
    return { name, rows };
  });
}
