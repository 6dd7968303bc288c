import { applyJury, type Ballot, type Jury } from "../../contract/jury.ts";
import { splitRows } from "./measure-panel.ts";

/** A labelled ballot; `answers` are all that can be right, when they are known beforehand. */
export type LabelledBallot = Ballot & { id: string; gold: string; answers: readonly string[] };

export type LearntWeights = Pick<Jury, "weights" | "none"> & { l2: number };

/** From strong to weak: each fit starts where the one before ended. */
const strengths = [30, 10, 3, 1, 0.3, 0.1];

/**
 * Learns what a vote of each seat is worth: the weights under which the right answers are most likely (a conditional
 * logit), drawn towards zero. How strongly is chosen on a fifth of these ballots that the others did not see.
 */
export function learnJury(ballots: readonly LabelledBallot[]): LearntWeights {
  const l2 = chooseStrength(ballots);
  const design = buildDesign(ballots);
  return nameWeights(design, maximise(design, l2, new Float64Array(design.names.length)), l2);
}

/** The strength that makes ballots least surprising which it was not learnt from; one part of many ballots is enough. */
function chooseStrength(ballots: readonly LabelledBallot[]): number {
  const parts = splitRows(ballots, 1);
  const losses = strengths.map(() => 0);
  for (const part of ballots.length < 1000 ? [0, 1, 2, 3, 4] : [0]) {
    const design = buildDesign(ballots.filter((_, i) => parts[i] !== part));
    const held = ballots.filter((_, i) => parts[i] === part);
    let weights: Float64Array = new Float64Array(design.names.length);
    for (const [i, l2] of strengths.entries()) {
      weights = maximise(design, l2, weights);
      losses[i] = (losses[i] as number) + measureLoss(nameWeights(design, weights, l2), held);
    }
  }
  return strengths[losses.indexOf(Math.min(...losses))] ?? 1;
}

function nameWeights({ names, seats, categories, isOpen }: Design, found: Float64Array, l2: number): LearntWeights {
  const place = new Map(names.map((name, i) => [name, i]));
  const at = (name: string): number => found[place.get(name) ?? -1] ?? 0;
  return {
    weights: Object.fromEntries(seats.map((seat) => [seat, at(`seat ${seat}`)])),
    none: isOpen
      ? { bias: at("none"), categories: Object.fromEntries(categories.map((one) => [one, at(`none ${one}`)])) }
      : null,
    l2,
  };
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

/** A ballot as numbers: for each possible answer the places of the weights that speak for it, and how often. */
type Case = { rows: { at: number; count: number }[][]; gold: number };
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
      for (const one of votes) {
        const at = place.get(`seat ${one.seat}`) as number;
        if (one.answer === answer) counts.set(at, (counts.get(at) ?? 0) + 1);
      }
      return [...counts].map(([at, count]) => ({ at, count }));
    });
    if (isOpen)
      rows.push(
        [place.get("none"), category ? place.get(`none ${category}`) : undefined].flatMap((at) =>
          at === undefined ? [] : [{ at, count: 1 }],
        ),
      );
    const right = given.indexOf(gold);
    return { rows, gold: right >= 0 ? right : given.length };
  });
  return {
    names,
    seats,
    categories,
    isOpen,
    cases: cases.filter(({ rows, gold }) => gold < rows.length && rows.length > 1),
  };
}

const mostSteps = 15;

/** Newton's method on the penalised likelihood, which has one maximum. */
function maximise({ names, cases }: Design, l2: number, start: Float64Array): Float64Array {
  const size = names.length;
  const weights = Float64Array.from(start);
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
    if (change.every((one) => Math.abs(one) < 1e-6)) break;
  }
  return weights;
}

function accumulate(
  { rows, gold }: Case,
  weights: Float64Array,
  gradient: Float64Array,
  curvature: Float64Array[],
): void {
  const scores = rows.map((row) => row.reduce((sum, { at, count }) => sum + (weights[at] as number) * count, 0));
  const most = Math.max(...scores);
  const sizes = scores.map((score) => Math.exp(score - most));
  const all = sizes.reduce((sum, one) => sum + one, 0);
  const mean = new Float64Array(weights.length);
  for (const [k, row] of rows.entries()) {
    const share = (sizes[k] as number) / all;
    for (const { at, count } of row) {
      mean[at] = (mean[at] as number) + share * count;
      gradient[at] = (gradient[at] as number) + ((k === gold ? 1 : 0) - share) * count;
      const line = curvature[at] as Float64Array;
      for (const other of row) line[other.at] = (line[other.at] as number) + share * count * other.count;
    }
  }
  for (const [i, line] of curvature.entries()) {
    const one = mean[i] as number;
    if (one !== 0) for (let j = 0; j <= i; j++) line[j] = (line[j] as number) - one * (mean[j] as number);
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
