import type { WorstCase } from "../../contract/budget.ts";
import type { Outcome } from "../../contract/result.ts";
import type { Usage } from "../../contract/usage.ts";
import { sumUsage, sumWorstCases } from "../../engine/budget.ts";
import type { Warning } from "../../engine/pack.ts";
import { createRandom } from "../../text/random.ts";
import { type FlipRow, flipLedger, type RunPositions } from "../ledger/flip-ledger.ts";
import { correlateOpeningErrors } from "../ledger/opening-errors.ts";
import { type RoundVote, roundVotes } from "../ledger/round-votes.ts";
import type { Scorecard } from "../results/scorecard.ts";
import type { PlannedArm } from "../results/study-manifest.ts";
import { bootstrapMean } from "../statistics/bootstrap.ts";
import { type Calibration, calibration } from "../statistics/calibration.ts";
import type { ErrorCorrelation } from "../statistics/error-correlation.ts";
import type { Interval } from "../statistics/interval.ts";
import { type RiskCoverage, riskCoverage } from "../statistics/risk-coverage.ts";
import { wilson } from "../statistics/wilson.ts";
import { type ArmData, averageByCase, judgeByCase } from "./arm-data.ts";
import { type RateMeasure, estimateRates } from "./estimate-rates.ts";

/** A metric's mean over the cases it applies to. */
export type MetricSummary = Interval & { cases: number };

/** What an arm did, as numbers. */
export type ArmSummary = {
  arm: PlannedArm;
  runs: number;
  cases: number;
  outcomes: Partial<Record<Outcome, number>>;
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
  };
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
