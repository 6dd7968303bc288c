import { sumUsage, sumWorstCases } from "../../engine/budget.ts";
import type { Measure } from "../../engine/pack.ts";
import { createRandom } from "../../text/random.ts";
import { measurePanel, type PanelMeasure } from "../panel/measure-panel.ts";
import { findFullRows, votesOfStudy } from "../panel/votes.ts";
import type { JudgedPosition, PlannedArm, Scorecard, StudyManifest } from "../results/results.ts";
import { bootstrapMean, bootstrapStatistics, type Interval, wilson } from "../statistics/statistics.ts";
import { compareArms, reachVerdict } from "./verdict.ts";

export type ArmData = { name: string; cards: Scorecard[]; byCase: Map<string, Scorecard[]> };

export function collectArmData(name: string, scorecards: readonly Scorecard[]): ArmData {
  const cards = scorecards.filter((card) => card.arm === name);
  return { name, cards, byCase: Map.groupBy(cards, (card) => card.case_id) };
}

/** Averages a value over the seeds of each case, where it applies. */
export function averageByCase(arm: ArmData, valueOf: (card: Scorecard) => number | null): Map<string, number> {
  const means = new Map<string, number>();
  for (const [id, cards] of arm.byCase) {
    const values = cards.map(valueOf).filter((value) => value !== null);
    if (values.length > 0) means.set(id, values.reduce((sum, value) => sum + value, 0) / values.length);
  }
  return means;
}

/** A case is right when more than half of its seeds are. Cases without gold are left out. */
function judgeByCase(arm: ArmData): Map<string, boolean> {
  const shares = averageByCase(arm, (card) => (card.right === null ? null : Number(card.right)));
  return new Map([...shares].map(([id, share]) => [id, share > 0.5]));
}

type MetricSummary = Interval & { cases: number };

export type ArmSummary = ReturnType<typeof summariseArm>;

export function summariseArm(arm: PlannedArm, data: ArmData, measure: RateMeasure | undefined) {
  const { cards } = data;
  const rates = measure ? estimateRates(data, measure) : {};
  const points = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, rate.estimate]));
  const failed = cards.flatMap(({ failure }) => failure ?? []);
  return {
    arm,
    runs: cards.length,
    cases: data.byCase.size,
    /** Ended by their own rules without a decision; they score 0. */
    undecided: cards.filter(({ failure, outcome }) => failure === null && outcome !== "decided").length,
    failures: countEach(failed),
    primary: summariseMean(data, (card) => card.primary),
    right: summariseShare([...judgeByCase(data).values()]),
    metrics: { ...summariseMetrics(data), ...rates } as Record<string, Interval>,
    warnings: measure?.warnings?.(points) ?? [],
    usage: sumUsage(cards.map((card) => card.cost.usage)),
    spend: sumWorstCases(cards.map(({ cost }) => cost.spend)),
    callsSaved: cards.reduce((sum, card) => sum + card.cost.calls_saved, 0),
    flips: flipLedger(cards.map(({ positions }) => positions)),
    panel: measureOpenings(cards, arm.name),
  };
}

/** An arm that stops early asked all speakers only where they differed, which is no measure of them. */
function measureOpenings(cards: readonly Scorecard[], arm: string): PanelMeasure | null {
  const rows = votesOfStudy(cards, arm);
  const { members, asked } = findFullRows(rows);
  const isMeasured = members.length > 1 && asked.length * 2 >= rows.length;
  return isMeasured ? measurePanel(asked, members) : null;
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

/** Wilson's interval also works when all or none are right. */
function summariseShare(rights: boolean[]): MetricSummary | null {
  const interval = wilson(rights.filter(Boolean).length, rights.length);
  return interval && { ...interval, cases: rights.length };
}

function countEach(keys: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]));
}

// oxlint-disable-next-line typescript/no-explicit-any
export type RateMeasure = Pick<Measure<any, any>, "rates" | "warnings">;

function estimateRates({ cards, byCase }: ArmData, { rates }: RateMeasure): Record<string, Interval> {
  const keys = [...new Set(cards.flatMap((card) => Object.keys(card.tally)))].sort();
  if (!rates || keys.length === 0) return {};
  const rows = [...byCase.keys()].sort().map((id) => {
    const own = byCase.get(id) ?? [];
    return Float64Array.from(keys, (key) => own.reduce((sum, card) => sum + (card.tally[key] ?? 0), 0));
  });
  const measure = (indices: Int32Array): Record<string, number | null> => {
    const sums = new Float64Array(keys.length);
    for (const index of indices)
      for (const [k, value] of (rows[index] as Float64Array).entries()) sums[k] = (sums[k] as number) + value;
    return rates(Object.fromEntries(keys.map((key, k) => [key, sums[k] as number])));
  };
  return bootstrapStatistics(rows.length, measure, { random: createRandom(rows.length) });
}

export type StudySummary = ReturnType<typeof summariseStudy>;

const order = { reference: 0, control: 1, arm: 2 };

/** The reference first, then its controls, then the others. */
export function summariseStudy(manifest: StudyManifest, scorecards: readonly Scorecard[], measure?: RateMeasure) {
  const planned = manifest.arms.toSorted((a, b) => order[a.kind] - order[b.kind]);
  const data = planned.map((arm) => collectArmData(arm.name, scorecards));
  const arms = planned.map((arm, i) => summariseArm(arm, data[i] as ArmData, measure));
  const [reference, ...others] = data;
  const comparisons = reference ? compareArms(reference, others, manifest.dataset.cases) : [];
  const total = planned.length * manifest.dataset.cases * manifest.seeds.length;
  const missing = total - scorecards.length;
  const verdict = reachVerdict(arms, comparisons, manifest, { missing, total });
  return { manifest, arms, comparisons, verdict, missing };
}

/** A role's moves from its previous position to `round` (product spec §5.3). */
export type FlipRow = {
  round: number;
  role: string;
  wrong_to_right: number;
  right_to_wrong: number;
  /** Moves to the majority of the previous round, and how many of them gave up a right position. */
  conformed: number;
  conformed_right_to_wrong: number;
};

export function flipLedger(runs: readonly JudgedPosition[][]): FlipRow[] {
  const moves = Map.groupBy(runs.flatMap(listMoves), ({ after }) => JSON.stringify([after.round, after.role]));
  const rows = [...moves.values()].flatMap((own) => (own[0] ? [countMoves(own[0].after, own)] : []));
  return rows.sort((a, b) => a.round - b.round || (a.role < b.role ? -1 : 1));
}

type Move = { before: JudgedPosition; after: JudgedPosition; majority: string | null };

/** Moves of a role between positions on an item; a first position after others counts as a move from their majority. */
function listMoves(positions: JudgedPosition[]): Move[] {
  const judged = positions.filter((one) => one.correct !== null).sort((a, b) => a.round - b.round);
  const byRole = Map.groupBy(judged, (one) => JSON.stringify([one.item, one.role]));
  return [...byRole.values()].flatMap((own) => {
    const ordered = [...new Map(own.map((one) => [one.round, one])).values()];
    return ordered.flatMap((after, i): Move[] => {
      const earlier = judged.filter((one) => one.item === after.item && one.round < after.round);
      const before = ordered[i - 1];
      if (!before) {
        const stood = findMajority(earlier);
        const one = earlier.findLast(({ answer }) => answer === stood);
        return one ? [{ before: one, after, majority: null }] : [];
      }
      return [{ before, after, majority: findMajority(earlier.filter(({ round }) => round === before.round)) }];
    });
  });
}

function countMoves({ round, role }: JudgedPosition, moves: readonly Move[]): FlipRow {
  const conformed = moves.filter(
    ({ before, after, majority }) => majority !== null && before.answer !== majority && after.answer === majority,
  );
  const isBroken = ({ before, after }: Move): boolean => before.correct === true && !after.correct;
  return {
    round,
    role,
    wrong_to_right: moves.filter(({ before, after }) => !before.correct && after.correct).length,
    right_to_wrong: moves.filter(isBroken).length,
    conformed: conformed.length,
    conformed_right_to_wrong: conformed.filter(isBroken).length,
  };
}

function findMajority(positions: readonly JudgedPosition[]): string | null {
  const last = [...new Map(positions.map((one) => [one.role, one.answer])).values()];
  const groups = [...Map.groupBy(last, (answer) => answer)];
  return groups.find(([, same]) => same.length * 2 > last.length)?.[0] ?? null;
}
