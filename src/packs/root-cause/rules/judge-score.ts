import { createRandom, shuffle } from "../../../text/random.ts";
import type { Hypothesis, ReasonerName } from "../schemas/hypothesis.ts";
import {
  criteria,
  type Disagreement,
  type Evaluation,
  type JudgeEvaluation,
  type JudgeReply,
  type Subscores,
} from "../schemas/judgement.ts";
import { isSame } from "./hypotheses.ts";
import type { Spoken } from "./round.ts";
import { agree } from "./stop.ts";

/** One label of the judge: a hypothesis, and everyone who proposed it. */
export type Labelled = { label: string; hypothesis: Hypothesis; authors: { source: ReasonerName; id: string }[] };

/** A hypothesis as the judge sees it, without id and author. */
export type AnonymousHypothesis = { label: string } & Omit<Hypothesis, "id" | "from" | "changes_made">;

/**
 * Labels the hypotheses of a round H1, H2… in an order that depends only on seed and round (root-cause spec §4.3).
 * Equal ones appear once, with all their evidence and the lower confidence: repetition makes nobody surer.
 */
export function labelAll(spoken: readonly Spoken[], seed: number, round: number): Labelled[] {
  const merged: Omit<Labelled, "label">[] = [];
  for (const { source, hypotheses } of spoken)
    for (const hypothesis of hypotheses) {
      const twin = merged.find((one) => isSame(one.hypothesis, hypothesis));
      if (twin === undefined) merged.push({ hypothesis, authors: [{ source, id: hypothesis.id }] });
      else {
        twin.authors.push({ source, id: hypothesis.id });
        twin.hypothesis = unite(twin.hypothesis, hypothesis);
      }
    }
  return shuffle(merged, createRandom(seed * 31 + round)).map((item, index) => ({ label: `H${index + 1}`, ...item }));
}

function unite(a: Hypothesis, b: Hypothesis): Hypothesis {
  const cited = new Set(a.evidence.map(({ kind, ref }) => `${kind} ${ref}`));
  const more = b.evidence.filter(({ kind, ref }) => !cited.has(`${kind} ${ref}`));
  return { ...a, evidence: [...a.evidence, ...more], confidence: Math.min(a.confidence, b.confidence) };
}

/** Removes id, source and history. */
export function anonymise(labelled: readonly Labelled[]): AnonymousHypothesis[] {
  return labelled.map(({ label, hypothesis: { id: _id, from: _from, changes_made: _changes, ...rest } }) => ({
    label,
    ...rest,
  }));
}

/** The sum of the subscores is the only judge score. */
export function addSubscores(subscores: Subscores): number {
  return round(criteria.reduce((sum, criterion) => sum + subscores[criterion], 0));
}

/** Joins one judgement, or the mean of two, to the hypotheses by id and ranks them; ties by id. */
export function evaluate(labelled: readonly Labelled[], readings: readonly JudgeReply[]): JudgeEvaluation {
  const evaluated = labelled.flatMap((item) => judgeOne(item, readings));
  evaluated.sort((a, b) => b.judge_score - a.judge_score || compareIds(a.id, b.id));
  const scored = new Set(evaluated.map(({ id }) => id));
  return {
    evaluated: evaluated.map((evaluation, index) => ({ ...evaluation, rank: index + 1 })),
    same_cause: readings[0] ? nameGroups(labelled, readings[0].same_cause) : [],
    unscored: labelled.flatMap(({ authors }) => authors.map(({ id }) => id)).filter((id) => !scored.has(id)),
    disagreement: readings.length === 2 ? measureDisagreement(labelled, readings) : null,
  };
}

function judgeOne({ label, authors }: Labelled, readings: readonly JudgeReply[]): Evaluation[] {
  const scores = readings.flatMap((reading) => reading.scores.filter((score) => score.label === label));
  const [first] = scores;
  if (!first) return [];
  const subscores = Object.fromEntries(
    criteria.map((criterion) => [criterion, round(mean(scores.map((score) => score[criterion])))]),
  ) as Subscores;
  const { strengths, weaknesses, feedback } = first;
  const judge_score = addSubscores(subscores);
  return authors.map(({ source, id }) => ({
    id,
    source,
    label,
    rank: 1,
    judge_score,
    ...subscores,
    strengths,
    weaknesses,
    feedback,
  }));
}

function measureDisagreement(labelled: readonly Labelled[], readings: readonly JudgeReply[]): Disagreement {
  const [first, second] = readings.map(
    (reading) => new Map(reading.scores.map((score) => [score.label, addSubscores(score)])),
  );
  const gaps = labelled.flatMap(({ label }) => {
    const [a, b] = [first?.get(label), second?.get(label)];
    return a === undefined || b === undefined ? [] : [Math.abs(a - b)];
  });
  const [top, other] = [findTop(labelled, first), findTop(labelled, second)];
  const top_changed =
    top !== undefined && other !== undefined && top !== other && !agree(top.hypothesis, other.hypothesis, 0.5);
  return { mean_points: round(mean(gaps)), largest_points: round(Math.max(0, ...gaps)), top_changed };
}

function findTop(labelled: readonly Labelled[], scores: ReadonlyMap<string, number> | undefined): Labelled | undefined {
  return labelled.toSorted(
    (a, b) => (scores?.get(b.label) ?? 0) - (scores?.get(a.label) ?? 0) || compareIds(a.hypothesis.id, b.hypothesis.id),
  )[0];
}

function nameGroups(labelled: readonly Labelled[], groups: string[][]): string[][] {
  const ids = new Map(labelled.map(({ label, authors }) => [label, authors.map(({ id }) => id)]));
  return groups.map((group) => group.flatMap((label) => ids.get(label) ?? [])).filter((group) => group.length > 1);
}

/** Natural order: log_2 before log_10. */
export function compareIds(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
