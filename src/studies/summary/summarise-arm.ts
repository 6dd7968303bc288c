import type { Scorecard, PlannedArm } from "../results/results.ts";
import type { WorstCase } from "../../contract/budget.ts";
import type { Outcome } from "../../contract/result.ts";
import type { Usage } from "../../contract/usage.ts";
import { sumUsage, sumWorstCases } from "../../engine/budget.ts";
import type { Warning, Measure } from "../../engine/pack.ts";
import { createRandom } from "../../text/random.ts";
import {
  type FlipRow,
  flipLedger,
  type RunPositions,
  correlateOpeningErrors,
  type RoundVote,
  roundVotes,
} from "./ledger.ts";
import { bootstrapMean, type Interval, wilson, bootstrapStatistics } from "../statistics/intervals.ts";
import { type PairedTest, testPaired } from "../statistics/paired-test.ts";
import { measurePanel, type PanelMeasure, vote } from "../panel/measure-panel.ts";
import { votesOfStudy } from "../panel/votes.ts";
import {
  type Calibration,
  calibration,
  measureSeparation,
  type RiskCoverage,
  riskCoverage,
  type Separation,
} from "../statistics/confidence.ts";
import type { ErrorCorrelation } from "../statistics/agreement.ts";

/** The scorecards of one arm, case by case; several seeds of a case stay together. */
export type ArmData = { name: string; cards: Scorecard[]; byCase: Map<string, Scorecard[]> };

/** Groups the scorecards of a study by arm. */
export function collectArmData(name: string, scorecards: readonly Scorecard[]): ArmData {
  const cards = scorecards.filter((card) => card.arm === name);
  return { name, cards, byCase: Map.groupBy(cards, (card) => card.case_id) };
}

/** The mean of a value over the seeds of each case, where it applies; a case counts once. */
export function averageByCase(arm: ArmData, valueOf: (card: Scorecard) => number | null): Map<string, number> {
  const means = new Map<string, number>();
  for (const [id, cards] of arm.byCase) {
    const values = cards.map(valueOf).filter((value) => value !== null);
    if (values.length > 0) means.set(id, values.reduce((sum, value) => sum + value, 0) / values.length);
  }
  return means;
}

/** Whether each case is right: in more than half of its seeds. Cases without gold are left out. */
export function judgeByCase(arm: ArmData): Map<string, boolean> {
  const shares = averageByCase(arm, (card) => (card.right === null ? null : Number(card.right)));
  return new Map([...shares].map(([id, share]) => [id, share > 0.5]));
}

/** The values of two arms on the cases that both have, in one order. */
export function paired<T>(first: Map<string, T>, second: Map<string, T>): { ids: string[]; first: T[]; second: T[] } {
  const ids = [...first.keys()].filter((id) => second.has(id)).sort();
  return { ids, first: ids.map((id) => first.get(id) as T), second: ids.map((id) => second.get(id) as T) };
}

/** A metric's mean over the cases it applies to. */
export type MetricSummary = Interval & { cases: number };

/** What an arm did, as numbers. */
export type ArmSummary = {
  arm: PlannedArm;
  runs: number;
  cases: number;
  outcomes: Partial<Record<Outcome, number>>;
  /** Runs that count for nothing, by why. */
  failures: Record<string, number>;
  primary: MetricSummary | null;
  right: MetricSummary | null;
  /** Of the cases with several seeds, the share that is right in all of them or in none; null with one seed. */
  steady: number | null;
  metrics: Record<string, MetricSummary>;
  rates: Record<string, Interval>;
  warnings: Warning[];
  usage: Usage;
  /** All calls of its runs, also those that came to nothing. */
  spend: WorstCase;
  callsSaved: number;
  wallMs: number;
  samples: number | null;
  calibration: Calibration | null;
  riskCoverage: RiskCoverage | null;
  flips: FlipRow[];
  votes: RoundVote[];
  errors: ErrorCorrelation[];
  /** What the first words of its speakers are worth as a panel; null with fewer than two speakers. */
  panel: PanelMeasure | null;
  /** Where its first words differ: what was decided against their vote; null where they never do. */
  afterSplit: PairedTest | null;
  /** Whether stated confidence tells right from wrong; null without both kinds of cases. */
  separation: Separation | null;
};

/** Summarises the scorecards of one arm. */
export function summariseArm(arm: PlannedArm, data: ArmData, measure: RateMeasure | undefined): ArmSummary {
  const { cards } = data;
  const runs = positionsOf(cards);
  const rates = measure ? estimateRates(data, measure) : {};
  const points = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, rate.estimate]));
  return {
    arm,
    runs: cards.length,
    cases: data.byCase.size,
    outcomes: countBy(cards, (card) => card.outcome),
    failures: countBy(
      cards.filter((card) => card.failure !== null),
      (card) => card.failure ?? "",
    ),
    primary: summariseMean(data, (card) => card.primary),
    right: summariseRight(data),
    steady: measureSteadiness(data),
    metrics: summariseMetrics(data),
    rates,
    warnings: measure?.warnings?.(points) ?? [],
    usage: sumUsage(cards.map((card) => card.cost.usage)),
    spend: sumWorstCases(cards.map(spendOf)),
    callsSaved: cards.reduce((sum, card) => sum + card.cost.calls_saved, 0),
    wallMs: cards.reduce((sum, card) => sum + card.cost.wall_ms, 0),
    samples: averageSamples(cards),
    calibration: calibration(
      cards.flatMap((card) => card.graded.map((one) => ({ confidence: one.confidence, score: Number(one.correct) }))),
    ),
    riskCoverage: measureRisk(cards),
    flips: flipLedger(runs),
    votes: roundVotes(runs),
    errors: correlateOpeningErrors(runs),
    panel: measureOpenings(cards, arm.name),
    afterSplit: compareAfterSplit(cards, arm.name),
    separation: measureSeparation(
      cards.flatMap(({ confidence, right }) => (confidence === null || right === null ? [] : [{ confidence, right }])),
    ),
  };
}

function measureOpenings(cards: readonly Scorecard[], arm: string): PanelMeasure | null {
  const rows = votesOfStudy(cards, arm);
  const members = [...new Set(rows.flatMap(({ votes }) => Object.keys(votes)))];
  const asked = rows.filter(({ votes }) => members.every((name) => votes[name] !== undefined));
  return members.length < 2 || asked.length === 0 ? null : measurePanel(asked, members);
}

function compareAfterSplit(cards: readonly Scorecard[], arm: string): PairedTest | null {
  const rightOf = new Map(cards.map(({ case_id, right }) => [case_id, right]));
  const split = votesOfStudy(cards, arm).filter(
    ({ id, votes }) => new Set(Object.values(votes)).size > 1 && typeof rightOf.get(id) === "boolean",
  );
  if (split.length === 0) return null;
  return testPaired(
    split.map(({ votes, gold }) => Number(vote(votes, Object.keys(votes)) === gold)),
    split.map(({ id }) => Number(rightOf.get(id))),
  );
}

/** What a run spent; studies of an earlier version only knew what its finished turns used. */
export function spendOf({ cost: { spend, usage } }: Scorecard): WorstCase {
  const tokens = usage.inputTokens + usage.outputTokens;
  return spend ?? { calls: tokens > 0 ? usage.calls : 0, tokens, usd: usage.costUsd };
}

function summariseMean(data: ArmData, valueOf: (card: Scorecard) => number | null): MetricSummary | null {
  const values = [...averageByCase(data, valueOf).values()];
  if (values.length === 0) return null;
  if (values.every((value) => value === 0 || value === 1)) return summariseShare(values.map(Boolean));
  return { ...bootstrapMean(values, { random: createRandom(values.length) }), cases: values.length };
}

function summariseMetrics(data: ArmData): Record<string, MetricSummary> {
  const names = new Set(data.cards.flatMap((card) => Object.keys(card.scores ?? {})));
  const entries = [...names].map((name) => [name, summariseMean(data, (card) => card.scores?.[name] ?? null)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, MetricSummary] => entry[1] !== null));
}

function summariseRight(data: ArmData): MetricSummary | null {
  return summariseShare([...judgeByCase(data).values()]);
}

function measureSteadiness(data: ArmData): number | null {
  const repeated = [...data.byCase.values()].filter((cards) => cards.length > 1 && cards[0]?.right !== null);
  const steady = repeated.filter((cards) => new Set(cards.map((card) => card.right)).size === 1);
  return repeated.length === 0 ? null : steady.length / repeated.length;
}

/** A share of cases has Wilson's interval: it stays honest where all or none are right. */
function summariseShare(rights: boolean[]): MetricSummary | null {
  const interval = wilson(rights.filter(Boolean).length, rights.length);
  return interval && { ...interval, cases: rights.length };
}

/** Cases the arm did not decide are never covered, whatever their confidence; null when no case has a confidence. */
function measureRisk(cards: Scorecard[]): RiskCoverage | null {
  const judged = cards.filter((card) => card.primary !== null);
  if (!judged.some((card) => card.confidence !== null)) return null;
  return riskCoverage(
    judged.map((card) => ({
      confidence: card.outcome === "decided" ? card.confidence : null,
      score: card.primary ?? 0,
    })),
  );
}

function positionsOf(cards: Scorecard[]): RunPositions[] {
  return cards.map((card) => ({ run_id: card.run_id ?? `${card.case_id}#${card.seed}`, positions: card.positions }));
}

function averageSamples(cards: Scorecard[]): number | null {
  const samples = cards.flatMap((card) => (card.samples === null ? [] : [card.samples]));
  return samples.length === 0 ? null : samples.reduce((sum, one) => sum + one, 0) / samples.length;
}

function countBy<K extends string>(cards: Scorecard[], keyOf: (card: Scorecard) => K): Partial<Record<K, number>> {
  const counts: Partial<Record<K, number>> = {};
  for (const card of cards) counts[keyOf(card)] = (counts[keyOf(card)] ?? 0) + 1;
  return counts;
}

// oxlint-disable-next-line typescript/no-explicit-any
export type RateMeasure = Pick<Measure<any, any>, "rates" | "warnings">;

/** Corpus metrics of an arm with intervals: counts of resampled cases are summed and turned into rates again. */
export function estimateRates(data: ArmData, measure: RateMeasure): Record<string, Interval> {
  const { rates } = measure;
  if (!rates || data.cards.every((card) => Object.keys(card.tally).length === 0)) return {};
  const matrix = buildTallyMatrix(data);
  return bootstrapStatistics(matrix.ids.length, (indices) => computeRatesOver(matrix, indices, rates), {
    random: createRandom(matrix.ids.length),
  });
}

/** The differences `second − first` of two arms' corpus metrics over the cases that both have. */
export function compareRates(first: ArmData, second: ArmData, measure: RateMeasure): Record<string, Interval> {
  const { rates } = measure;
  if (!rates) return {};
  const [a, b] = pairMatrices(first, second);
  const differences = (indices: Int32Array): Record<string, number | null> => {
    const [before, after] = [computeRatesOver(a, indices, rates), computeRatesOver(b, indices, rates)];
    return Object.fromEntries(Object.keys(after).map((name) => [name, minus(after[name], before[name])]));
  };
  return bootstrapStatistics(a.ids.length, differences, { random: createRandom(a.ids.length) });
}

function pairMatrices(first: ArmData, second: ArmData): [TallyMatrix, TallyMatrix] {
  const { ids } = paired(first.byCase, second.byCase);
  return [rowsOf(buildTallyMatrix(first), ids), rowsOf(buildTallyMatrix(second), ids)];
}

function minus(after: number | null | undefined, before: number | null | undefined): number | null {
  return typeof after === "number" && typeof before === "number" ? after - before : null;
}

/** The counts of an arm's cases as numbers in rows, so that resampled sums are cheap. */
export type TallyMatrix = { ids: string[]; keys: string[]; rows: Float64Array[] };

// oxlint-disable-next-line typescript/no-explicit-any
type Rates = NonNullable<Measure<any, any>["rates"]>;

/** One row a case; the seeds of a case are summed. */
export function buildTallyMatrix(arm: ArmData): TallyMatrix {
  const keys = [...new Set(arm.cards.flatMap((card) => Object.keys(card.tally)))].sort();
  const ids = [...arm.byCase.keys()].sort();
  const rows = ids.map((id) => {
    const cards = arm.byCase.get(id) ?? [];
    return Float64Array.from(keys, (key) => cards.reduce((sum, card) => sum + (card.tally[key] ?? 0), 0));
  });
  return { ids, keys, rows };
}

/** The rates over some of the rows. */
export function computeRatesOver(
  matrix: TallyMatrix,
  indices: Iterable<number>,
  rates: Rates,
): Record<string, number | null> {
  const sums = new Float64Array(matrix.keys.length);
  for (const index of indices) {
    const row = matrix.rows[index] as Float64Array;
    for (let k = 0; k < sums.length; k++) sums[k] = (sums[k] as number) + (row[k] as number);
  }
  return rates(Object.fromEntries(matrix.keys.map((key, k) => [key, sums[k] as number])));
}

/** The rows of some cases, in their order. */
export function rowsOf(matrix: TallyMatrix, ids: string[]): TallyMatrix {
  const at = new Map(matrix.ids.map((id, i) => [id, i]));
  return { ...matrix, ids, rows: ids.map((id) => matrix.rows[at.get(id) ?? -1] as Float64Array) };
}
