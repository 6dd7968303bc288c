import type { Scorecard, StudyManifest } from "../results/results.ts";
import { detectableAccuracyDifference } from "../statistics/paired-test.ts";
import {
  collectArmData,
  type RateMeasure,
  type ArmSummary,
  summariseArm,
  type ArmData,
  averageByCase,
  paired,
} from "./summarise-arm.ts";
import { type Comparison, compareArms, type Verdict, reachVerdict } from "./verdict.ts";
import { createRandom } from "../../text/random.ts";
import { bootstrapMean, pairedBootstrap, type Interval } from "../statistics/intervals.ts";

/** The smallest difference that can be found, if the arms differ on this share of the cases. */
export type Detectable = { discordance: number; difference: number | null };

/** A study as numbers and words: what both reports are drawn from. */
export type StudySummary = {
  manifest: StudyManifest;
  /** The reference first, then its controls, then the others. */
  arms: ArmSummary[];
  comparisons: Comparison[];
  strata: StratumTable[];
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
  const comparisons = reference ? compareArms(reference, others, measure, manifest.dataset.cases) : [];
  const total = planned.length * manifest.dataset.cases * manifest.seeds.length;
  const missing = total - scorecards.length;
  return {
    manifest,
    arms,
    comparisons,
    strata: reference ? summariseStrata(reference, others) : [],
    detectable: listDetectableEffects(manifest.dataset.with_gold),
    verdict: reachVerdict(arms, comparisons, {
      leftOut: manifest.left_out,
      players: manifest.models,
      missing,
      planned: manifest.dataset.with_gold === 0 ? 0 : total,
    }),
    unknownMetrics: (manifest.metrics ?? []).filter(
      (name) => !arms.some((one) => name in one.metrics || name in one.rates),
    ),
    missing,
  };
}

/** What a study of this size can find at all (two-sided 5 %, power 80 %); said before it runs. */
export function listDetectableEffects(cases: number): Detectable[] {
  return [0.05, 0.1, 0.2, 0.3].map((discordance) => ({
    discordance,
    difference: detectableAccuracyDifference(cases, discordance),
  }));
}

/** How each arm did on one group of cases. */
export type StratumRow = {
  value: string;
  cases: number;
  arms: { arm: string; primary: Interval | null; difference: Interval | null }[];
};
export type StratumTable = { name: string; rows: StratumRow[] };

const mostGroups = 24;

/** The primary metric by stratum (domain, difficulty, language…), each arm beside the reference; commonest groups first. */
export function summariseStrata(reference: ArmData, others: ArmData[]): StratumTable[] {
  const names = new Set(reference.cards.flatMap((card) => Object.keys(card.strata)));
  return [...names].map((name) => {
    const groups = Map.groupBy(reference.cards, (card) => card.strata[name] ?? "–");
    const values = [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1)).slice(0, mostGroups);
    return { name, rows: values.map(([value]) => buildStratumRow(name, value, [reference, ...others])) };
  });
}

function buildStratumRow(name: string, value: string, arms: ArmData[]): StratumRow {
  const parts = arms.map((arm) =>
    collectArmData(
      arm.name,
      arm.cards.filter((card) => (card.strata[name] ?? "–") === value),
    ),
  );
  const means = parts.map((part) => averageByCase(part, (card) => card.primary));
  return {
    value,
    cases: parts[0]?.byCase.size ?? 0,
    arms: parts.map((part, i) => ({ arm: part.name, ...summariseCell(means[0], means[i]) })),
  };
}

function summariseCell(reference = new Map<string, number>(), own = new Map<string, number>()) {
  const values = [...own.values()];
  const both = paired(own, reference);
  return {
    primary:
      values.length === 0 ? null : bootstrapMean(values, { random: createRandom(values.length), resamples: 1000 }),
    difference:
      own === reference || both.ids.length === 0
        ? null
        : pairedBootstrap(both.first, both.second, { random: createRandom(both.ids.length), resamples: 1000 }),
  };
}
