import type { Hypothesis, ReasonerName } from "../schemas/hypothesis.ts";
import {
  criteria,
  type Disagreement,
  type Evaluation,
  type JudgeEvaluation,
  type JudgeReply,
  type Subscores,
} from "../schemas/judgement.ts";

/** A hypothesis under the label by which the judge knows it. */
export type Labelled = { label: string; source: ReasonerName; hypothesis: Hypothesis };

/** The sum of the subscores: the only way a judge score comes about (root-cause spec §4.3). */
export function addSubscores(subscores: Subscores): number {
  return round(criteria.reduce((sum, criterion) => sum + subscores[criterion], 0));
}

/** Joins one reading, or the mean of two, to the hypotheses by id and ranks them; equal scores rank by id. */
export function evaluate(labelled: Labelled[], readings: JudgeReply[]): JudgeEvaluation {
  const evaluated = labelled.flatMap((item) => judgeOne(item, readings));
  evaluated.sort((a, b) => b.judge_score - a.judge_score || compareIds(a.id, b.id));
  return {
    evaluated: evaluated.map((evaluation, index) => ({ ...evaluation, rank: index + 1 })),
    same_cause: readings[0] ? nameGroups(labelled, readings[0].same_cause) : [],
    disagreement: readings.length === 2 ? measureDisagreement(labelled, readings) : null,
  };
}

function judgeOne(item: Labelled, readings: JudgeReply[]): Evaluation[] {
  const scores = readings.flatMap((reading) => reading.scores.filter((score) => score.label === item.label));
  const [first] = scores;
  if (!first) return [];
  const subscores = Object.fromEntries(
    criteria.map((criterion) => [criterion, round(mean(scores.map((score) => score[criterion])))]),
  ) as Subscores;
  const { strengths, weaknesses, feedback } = first;
  const id = item.hypothesis.id;
  const judge_score = addSubscores(subscores);
  return [
    { id, source: item.source, label: item.label, rank: 1, judge_score, ...subscores, strengths, weaknesses, feedback },
  ];
}

function measureDisagreement(labelled: Labelled[], readings: JudgeReply[]): Disagreement {
  const [first, second] = readings.map((reading) => addTotals(labelled, reading));
  const gaps = [...(first ?? [])].map(([id, score]) => Math.abs(score - (second?.get(id) ?? score)));
  return {
    mean_points: round(mean(gaps)),
    largest_points: round(Math.max(0, ...gaps)),
    top_changed: findTop(first) !== findTop(second),
  };
}

function addTotals(labelled: Labelled[], reading: JudgeReply): Map<string, number> {
  const byLabel = new Map(reading.scores.map((score) => [score.label, addSubscores(score)]));
  return new Map(labelled.flatMap(({ label, hypothesis }) => [[hypothesis.id, byLabel.get(label) ?? 0] as const]));
}

function findTop(scores: Map<string, number> | undefined): string | null {
  const sorted = [...(scores ?? [])].sort(([a, x], [b, y]) => y - x || compareIds(a, b));
  return sorted[0]?.[0] ?? null;
}

function nameGroups(labelled: Labelled[], groups: string[][]): string[][] {
  const ids = new Map(labelled.map(({ label, hypothesis }) => [label, hypothesis.id]));
  return groups.map((group) => group.flatMap((label) => ids.get(label) ?? [])).filter((group) => group.length > 1);
}

/** Orders ids as people count: log_2 before log_10. */
export function compareIds(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
