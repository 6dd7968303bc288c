import type { Scorecard, PlannedArm, StudyManifest } from "../results/results.ts";
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
  const comparisons = reference ? compareArms(reference, others, measure, manifest.dataset.cases) : [];
  const total = planned.length * manifest.dataset.cases * manifest.seeds.length;
  const missing = total - scorecards.length;
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
    verdict: reachVerdict(arms, comparisons, {
      leftOut: manifest.left_out,
      missing,
      planned: manifest.dataset.with_gold === 0 ? 0 : total,
    }),
    unknownMetrics: (manifest.metrics ?? []).filter(
      (name) => !arms.some((one) => name in one.metrics || name in one.rates),
    ),
    missing,
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

/** What debating only where the openings disagree would have done on these cases. */
export type SplitComparison = {
  /** The arm that decides where they agree. */
  vote: string;
  cases: number;
  /** Cases whose openings disagree. */
  split: string[];
  /** The debate against the vote, where the openings disagree and where they agree. */
  whereSplit: Interval | null;
  whereAgreed: Interval | null;
  /** The score of the gated policy, and how it differs from always debating. */
  score: Interval;
  difference: Interval;
  /** Tokens, or turns where players cost none, as a share of always debating. */
  costShare: number;
};

/**
 * Votes where the speakers' first words agree and debates where they do not: what that would cost and score, from the
 * debate's own openings and the vote control. Null without at least two speakers on the same item in the first round.
 */
export function estimateGate(reference: ArmData, vote: ArmData | undefined): SplitComparison | null {
  if (!vote) return null;
  const scores = paired(
    averageByCase(vote, (card) => card.primary),
    averageByCase(reference, (card) => card.primary),
  );
  const openings = scores.ids.map((id) => classifyOpening(reference.byCase.get(id) ?? []));
  if (scores.ids.length === 0 || openings.every((one) => one === null)) return null;
  const isSplit = openings.map((one) => one !== "agreed");
  const gated = scores.ids.map((_, i) => (isSplit[i] ? scores.second[i] : scores.first[i]) as number);
  const measureDifference = (wanted: boolean): Interval | null => {
    const at = isSplit.flatMap((split, i) => (split === wanted ? [i] : []));
    if (at.length === 0) return null;
    return pairedBootstrap(pick(scores.first, at), pick(scores.second, at), { random: createRandom(at.length) });
  };
  return {
    vote: vote.name,
    cases: scores.ids.length,
    split: scores.ids.filter((_, i) => isSplit[i]),
    whereSplit: measureDifference(true),
    whereAgreed: measureDifference(false),
    score: bootstrapMean(gated, { random: createRandom(gated.length) }),
    difference: pairedBootstrap(scores.second, gated, { random: createRandom(gated.length) }),
    costShare: costShare(reference, vote, scores.ids, isSplit),
  };
}

/** Whether the first words on every item agree; null when no item has two speakers in its first round. */
function classifyOpening(cards: Scorecard[]): "agreed" | "split" | null {
  const items = cards.flatMap((card) => [...Map.groupBy(card.positions, (one) => one.item).values()]);
  const firsts = items.map((positions) => {
    const first = Math.min(...positions.map((one) => one.round));
    return positions.filter((one) => one.round === first).map((one) => one.answer);
  });
  const several = firsts.filter((answers) => answers.length > 1);
  if (several.length === 0) return null;
  return several.every((answers) => new Set(answers).size === 1) ? "agreed" : "split";
}

/** Every case pays for its openings (as the vote does); split ones pay for the whole debate instead. */
function costShare(reference: ArmData, vote: ArmData, ids: string[], isSplit: boolean[]): number {
  const costOf = (arm: ArmData, id: string): number =>
    (arm.byCase.get(id) ?? []).reduce((sum, card) => sum + paid(card), 0);
  const always = ids.reduce((sum, id) => sum + costOf(reference, id), 0);
  const gated = ids.reduce((sum, id, i) => sum + costOf(isSplit[i] ? reference : vote, id), 0);
  return always === 0 ? 1 : gated / always;
}

function paid({ cost: { usage } }: Scorecard): number {
  const tokens = usage.inputTokens + usage.outputTokens;
  return tokens > 0 ? tokens : usage.calls;
}

function pick(values: number[], at: number[]): number[] {
  return at.map((i) => values[i] as number);
}
