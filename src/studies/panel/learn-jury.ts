import { applyJury, type Ballot, type Jury } from "../../contract/jury.ts";
import { splitRows } from "./measure-panel.ts";

/** A labelled ballot; `answers` are all that can be right, when they are known beforehand. */
export type LabelledBallot = Ballot & { id: string; gold: string; answers: readonly string[] };

export type LearntWeights = Pick<Jury, "weights" | "none"> & { l2: number };

const strengths = [0.1, 0.3, 1, 3, 10, 30];

/**
 * Learns what a vote of each seat is worth: the weights under which the right answers are most likely (a conditional
 * logit), drawn towards zero. How strongly is chosen on a fifth of these ballots that the others did not see.
 */
export function learnJury(ballots: readonly LabelledBallot[], strength?: number): LearntWeights {
  const design = buildDesign(ballots);
  const l2 = strength ?? chooseStrength(ballots);
  const found = maximise(design, l2);
  const at = (name: string): number => found[design.names.indexOf(name)] ?? 0;
  return {
    weights: Object.fromEntries(design.seats.map((seat) => [seat, at(`seat ${seat}`)])),
    none: design.isOpen
      ? { bias: at("none"), categories: Object.fromEntries(design.categories.map((one) => [one, at(`none ${one}`)])) }
      : null,
    l2,
  };
}

function chooseStrength(ballots: readonly LabelledBallot[]): number {
  const parts = splitRows(ballots, 1);
  const train = ballots.filter((_, i) => parts[i] !== 0);
  const held = ballots.filter((_, i) => parts[i] === 0);
  const losses = strengths.map((l2) => measureLoss(learnJury(train, l2), held));
  return strengths[losses.indexOf(Math.min(...losses))] ?? 1;
}

/** The mean surprise of the right answers; one that nobody gave is as likely as what is left over. */
function measureLoss(jury: LearntWeights, ballots: readonly LabelledBallot[]): number {
  const each = ballots.map((one) => {
    const { shares } = applyJury(jury, one, one.answers);
    const left = 1 - Object.values(shares).reduce((sum, share) => sum + share, 0);
    return -Math.log(Math.max(1e-6, shares[one.gold] ?? left));
  });
  return each.reduce((sum, one) => sum + one, 0) / Math.max(1, each.length);
}

/** A ballot as numbers: for each possible answer which weights speak for it, and how often; `gold` is the right one. */
type Case = { rows: Map<number, number>[]; gold: number };
type Design = { names: string[]; seats: string[]; categories: string[]; isOpen: boolean; cases: Case[] };

function buildDesign(ballots: readonly LabelledBallot[]): Design {
  const seats = [...new Set(ballots.flatMap(({ votes }) => votes.map(({ seat }) => seat)))].sort();
  const isOpen = ballots.some(({ answers }) => answers.length === 0);
  const categories = isOpen ? [...new Set(ballots.flatMap(({ category }) => category ?? []))].sort() : [];
  const names = [
    ...seats.map((seat) => `seat ${seat}`),
    ...(isOpen ? ["none"] : []),
    ...categories.map((one) => `none ${one}`),
  ];
  const place = new Map(names.map((name, i) => [name, i]));
  const cases = ballots.map(({ votes, gold, answers, category }): Case => {
    const given = [...new Set([...answers, ...votes.flatMap(({ answer }) => answer ?? [])])];
    const rows = given.map((answer) => {
      const counts = new Map<number, number>();
      for (const one of votes)
        if (one.answer === answer) add(counts, place.get(`seat ${one.seat}`) as number);
      return counts;
    });
    if (isOpen) {
      const none = new Map<number, number>();
      add(none, place.get("none") as number);
      if (category) add(none, place.get(`none ${category}`) as number);
      rows.push(none);
    }
    const right = given.indexOf(gold);
    return { rows, gold: right >= 0 ? right : given.length };
  });
  return { names, seats, categories, isOpen, cases: cases.filter(({ rows, gold }) => gold < rows.length && rows.length > 1) };
}

function add(counts: Map<number, number>, at: number): void {
  counts.set(at, (counts.get(at) ?? 0) + 1);
}

const mostSteps = 25;

/** Newton's method on the penalised likelihood, which has one maximum. */
function maximise({ names, cases }: Design, l2: number): Float64Array {
  const size = names.length;
  const weights = new Float64Array(size);
  for (let step = 0; step < mostSteps; step++) {
    const gradient = weights.map((weight) => -l2 * weight);
    const curvature = Array.from({ length: size }, (_, i) => {
      const row = new Float64Array(size);
      row[i] = l2;
      return row;
    });
    for (const one of cases) accumulate(one, weights, gradient, curvature);
    const change = solve(curvature, gradient);
    for (let i = 0; i < size; i++) weights[i] = (weights[i] as number) + (change[i] as number);
    if (change.every((one) => Math.abs(one) < 1e-8)) break;
  }
  return weights;
}

function accumulate({ rows, gold }: Case, weights: Float64Array, gradient: Float64Array, curvature: Float64Array[]): void {
  const scores = rows.map((row) => [...row].reduce((sum, [i, count]) => sum + (weights[i] as number) * count, 0));
  const most = Math.max(...scores);
  const sizes = scores.map((score) => Math.exp(score - most));
  const all = sizes.reduce((sum, one) => sum + one, 0);
  const mean = new Map<number, number>();
  for (const [k, row] of rows.entries()) {
    const share = (sizes[k] as number) / all;
    const entries = [...row];
    for (const [i, count] of entries) {
      mean.set(i, (mean.get(i) ?? 0) + share * count);
      gradient[i] = (gradient[i] as number) + ((k === gold ? 1 : 0) - share) * count;
      const line = curvature[i] as Float64Array;
      for (const [j, other] of entries) line[j] = (line[j] as number) + share * count * other;
    }
  }
  for (const [i, one] of mean) {
    const line = curvature[i] as Float64Array;
    for (const [j, other] of mean) line[j] = (line[j] as number) - one * other;
  }
}

/** Solves a symmetric positive definite system (Cholesky). */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  const lower = matrix.map(() => new Float64Array(size));
  const at = (i: number, j: number): number => (lower[i] as Float64Array)[j] as number;
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let sum = (matrix[i] as Float64Array)[j] as number;
      for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k);
      (lower[i] as Float64Array)[j] = i === j ? Math.sqrt(Math.max(1e-12, sum)) : sum / at(j, j);
    }
  const found = Float64Array.from(right);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) found[i] = (found[i] as number) - at(i, k) * (found[k] as number);
    found[i] = (found[i] as number) / at(i, i);
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) found[i] = (found[i] as number) - at(k, i) * (found[k] as number);
    found[i] = (found[i] as number) / at(i, i);
  }
  return found;
}
