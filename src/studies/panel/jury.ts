import { applyJury, type Ballot, type Jury } from "../../contract/jury.ts";
import { ParleyError } from "../../contract/error.ts";
import { formatCount } from "../../text/format.ts";
import { measureRisk, type RiskPoint, meanOf, testPaired } from "../statistics/statistics.ts";
import { countOnce, folds, type JudgmentRow, requireMatch, requireNames, splitRows, type VoteRow } from "./votes.ts";

/** A labelled ballot; `answers` lists the possible ones, if they are known beforehand. */
export type LabelledBallot = Ballot & { id: string; gold: string; answers: readonly string[] };
export type Labels = { ballots: LabelledBallot[]; members: string[] };
export type LearntWeights = Pick<Jury, "weights" | "none">;
export type JuryMeasure = ReturnType<typeof measureJury>;

/** Ballots from pairs judged in both orders. A case judged again counts once. */
export function ballotsOfJudgments(rows: readonly JudgmentRow[], wanted?: readonly string[]): Labels {
  const members = listMembers(new Set(rows.flatMap(({ judgments }) => Object.keys(judgments))), wanted);
  const cases = [...Map.groupBy(rows, ({ id }) => id).values()];
  const torn = cases.find((group) => new Set(group.map(({ gold }) => gold)).size > 1)?.[0];
  if (torn) throw new ParleyError("bad_input", `rows with the id "${torn.id}" have different right answers`);
  const ballots = cases.flatMap(([first]) => {
    if (!first) return [];
    const { id, gold, judgments } = first;
    const votes = members.flatMap((member) => (judgments[member] ?? []).map((answer) => ({ member, answer })));
    return [{ id, gold, answers: ["1", "2"], votes }];
  });
  return requireLabels(ballots, members, rows);
}

/** Ballots from a panel's votes; the right answer may be none of those given. */
export function ballotsOfVotes(rows: readonly VoteRow[], wanted?: readonly string[]): Labels {
  const members = listMembers(new Set(rows.flatMap(({ votes }) => Object.keys(votes))), wanted);
  const ballots = countOnce(rows).map(({ id, gold, votes, category = null }) => ({
    id,
    gold,
    category,
    answers: [],
    votes: members.flatMap((member) => (votes[member] === undefined ? [] : [{ member, answer: votes[member] }])),
  }));
  return requireLabels(ballots, members, rows);
}

function listMembers(found: ReadonlySet<string>, wanted: readonly string[] = [...found]): string[] {
  requireNames(wanted, [...found]);
  return [...wanted];
}

const trustedLabels = /^(person|people|human|reviewer|annotator|key)\b/i;

function requireLabels(
  ballots: LabelledBallot[],
  members: string[],
  rows: readonly { labelled_by?: string }[],
): Labels {
  const sources = [...new Set(rows.map(({ labelled_by }) => labelled_by ?? null))];
  const made = sources.find((one) => one !== null && !trustedLabels.test(one));
  if (made !== undefined)
    throw new ParleyError(
      "bad_input",
      `some labels were made by "${made}": a jury that learns from a model's labels learns to agree with it; give labels of people (labelled_by "person") or of an answer key ("key")`,
    );
  const kinds = [...new Set(sources.map((one) => one?.match(trustedLabels)?.[0].toLowerCase() ?? "not said"))];
  if (kinds.length > 1)
    throw new ParleyError(
      "bad_input",
      `the labels come from ${kinds.length} sources (${kinds.join(", ")}); learn from one of them`,
    );
  const needed = Math.max(50, 5 * members.length);
  if (ballots.length < needed)
    throw new ParleyError(
      "bad_input",
      `${formatCount(members.length, "member needs", "members need")} at least ${needed} labelled cases, and there are ${ballots.length}: ${needed - ballots.length} more, or fewer members`,
    );
  requireMatch(ballots.map(({ id, gold, votes }) => ({ id, gold, answers: votes.map(({ answer }) => answer) })));
  const oracle = members.find((member) => isOracle(ballots, member));
  if (oracle !== undefined)
    throw new ParleyError(
      "bad_input",
      `"${oracle}" agrees with every label, as if it had made them: a jury would learn to repeat it`,
    );
  return { ballots, members };
}

function isOracle(ballots: readonly LabelledBallot[], member: string): boolean {
  return ballots.every(({ votes, gold }) => {
    const own = votes.filter((one) => one.member === member);
    return own.length > 0 && own.every(({ answer }) => answer === gold);
  });
}

export function measureJury({ ballots, members }: Labels) {
  const decided = crossValidate(ballots);
  const curve = measureRisk(decided);
  const { weights } = learnJury(ballots);
  const majority = ballots.map(scoreMajority);
  const scores = decided.map(({ score }) => score);
  return {
    n: ballots.length,
    members,
    majority: meanOf(majority),
    learnt: {
      accuracy: meanOf(scores),
      coverage: { "0.05": coverAt(curve, 0.05), "0.10": coverAt(curve, 0.1) },
    },
    against_majority: testPaired(majority, scores),
    weights,
    decided,
  };
}

/** Decides every ballot by weights learnt without it. */
function crossValidate(ballots: readonly LabelledBallot[]) {
  const parts = splitRows(ballots);
  const juries = Array.from({ length: folds }, (_, part) => learnJury(ballots.filter((_one, i) => parts[i] !== part)));
  return ballots.map((one, i) => {
    const { answer, confidence } = applyJury(juries[parts[i] as number] as LearntWeights, one, one.answers);
    return { id: one.id, confidence, score: Number(answer === one.gold) };
  });
}

function scoreMajority({ votes, gold }: LabelledBallot): number {
  const counts = [...Map.groupBy(votes, ({ answer }) => answer)].filter(([answer]) => answer !== null);
  const most = Math.max(0, ...counts.map(([, own]) => own.length));
  const winners = counts.filter(([, own]) => own.length === most).map(([answer]) => answer);
  return winners.includes(gold) ? 1 / winners.length : 0;
}

/** The share of cases that can be acted on with at most this share wrong. */
function coverAt(curve: readonly RiskPoint[], most: number): number {
  return Math.max(0, ...curve.flatMap(({ coverage, wrong }) => (wrong <= most ? [coverage] : [])));
}

/** Makes a jury file from given weights, or from weights learnt on all labels. */
export function makeJury(labels: Labels, known: LearntWeights | null, source: string, at: string): Jury {
  const { n: cases, majority, learnt } = measureJury(labels);
  const { weights, none } = known ?? learnJury(labels.ballots);
  return {
    format: "parley-jury",
    version: 1,
    weights,
    none,
    learnt_on: { source, cases, accuracy: learnt.accuracy, majority, l2: known ? null : shrinkage },
    made_at: at,
  };
}

/** The L2 penalty. On the recorded sets, 3 to 30 differ by at most two points. */
export const shrinkage = 3;

/** Learns the weight of each member's vote: a conditional logit with an L2 penalty. */
export function learnJury(ballots: readonly LabelledBallot[]): LearntWeights {
  const design = buildDesign(ballots);
  return nameWeights(design, maximise(design));
}

/** A ballot as numbers: for each possible answer, the indices of its weights and their counts. */
type Case = { rows: { at: number; count: number }[][]; gold: number };
/** Order of the weights: the members, "none of the given answers", and the same per category. */
type Design = { members: string[]; categories: string[]; isOpen: boolean; size: number; cases: Case[] };

function nameWeights({ members, categories, isOpen }: Design, found: Float64Array): LearntWeights {
  const name = (names: string[], from: number) =>
    Object.fromEntries(names.map((one, i) => [one, found[from + i] as number]));
  const none = isOpen
    ? { bias: found[members.length] as number, categories: name(categories, members.length + 1) }
    : null;
  return { weights: name(members, 0), none };
}

function buildDesign(ballots: readonly LabelledBallot[]): Design {
  const members = [...new Set(ballots.flatMap(({ votes }) => votes.map(({ member }) => member)))].sort();
  const isOpen = ballots.some(({ answers }) => answers.length === 0);
  const categories = isOpen ? [...new Set(ballots.flatMap(({ category }) => category ?? []))].sort() : [];
  const place = new Map(members.map((member, i) => [member, i]));
  const cases = ballots.map(({ votes, gold, answers, category }): Case => {
    const given = [...new Set([...answers, ...votes.flatMap(({ answer }) => answer ?? [])])];
    const rows = given.map((answer) => {
      const own = Map.groupBy(
        votes.filter((one) => one.answer === answer),
        ({ member }) => place.get(member) as number,
      );
      return [...own].map(([at, same]) => ({ at, count: same.length }));
    });
    const known = category ? categories.indexOf(category) : -1;
    const none = [members.length, ...(known < 0 ? [] : [members.length + 1 + known])];
    if (isOpen) rows.push(none.map((at) => ({ at, count: 1 })));
    const right = given.indexOf(gold);
    return { rows, gold: right >= 0 ? right : given.length };
  });
  return {
    members,
    categories,
    isOpen,
    size: members.length + (isOpen ? 1 : 0) + categories.length,
    cases: cases.filter(({ rows, gold }) => gold < rows.length && rows.length > 1),
  };
}

const mostSteps = 15;

/** Newton's method on the penalised likelihood, which has one maximum; overshooting steps are halved. */
function maximise({ size, cases }: Design): Float64Array {
  let weights = new Float64Array(size);
  let reached = measureFit(cases, weights);
  for (let step = 0; step < mostSteps; step++) {
    const gradient = weights.map((weight) => -shrinkage * weight);
    const curvature = Array.from({ length: size }, (_, i) => {
      const row = new Float64Array(size);
      row[i] = shrinkage;
      return row;
    });
    for (const one of cases) accumulate(one, weights, gradient, curvature);
    const change = solve(curvature, gradient);
    let [scale, next, fit] = [2, weights, Number.NEGATIVE_INFINITY];
    while (!(fit >= reached) && scale > 1e-6) {
      scale /= 2;
      next = weights.map((weight, i) => weight + scale * (change[i] as number));
      fit = measureFit(cases, next);
    }
    weights = next;
    reached = fit;
    if (change.every((one) => Math.abs(scale * one) < 1e-6)) break;
  }
  return weights;
}

function measureFit(cases: readonly Case[], weights: Float64Array): number {
  const penalty = (shrinkage / 2) * weights.reduce((sum, weight) => sum + weight ** 2, 0);
  return cases.reduce((sum, { rows, gold }) => sum + Math.log(shareOut(rows, weights)[gold] as number), -penalty);
}

function shareOut(rows: Case["rows"], weights: Float64Array): number[] {
  const scores = rows.map((row) => row.reduce((sum, { at, count }) => sum + (weights[at] as number) * count, 0));
  const most = Math.max(...scores);
  const sizes = scores.map((score) => Math.exp(score - most));
  const all = sizes.reduce((sum, one) => sum + one, 0);
  return sizes.map((size) => size / all);
}

function accumulate(
  { rows, gold }: Case,
  weights: Float64Array,
  gradient: Float64Array,
  curvature: Float64Array[],
): void {
  const shares = shareOut(rows, weights);
  const mean = new Float64Array(weights.length);
  for (const [k, row] of rows.entries()) {
    const share = shares[k] as number;
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

/** Solves a symmetric positive definite system by elimination, in place; only the lower half of it is filled. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const at = (i: number, j: number): number => (matrix[Math.max(i, j)] as Float64Array)[Math.min(i, j)] as number;
  const found = Float64Array.from(right);
  for (let i = 0; i < found.length; i += 1)
    for (let k = i + 1; k < found.length; k += 1) {
      const factor = at(k, i) / at(i, i);
      for (let j = i + 1; j <= k; j += 1) (matrix[k] as Float64Array)[j] = at(k, j) - factor * at(j, i);
      found[k] = (found[k] as number) - factor * (found[i] as number);
    }
  for (let i = found.length - 1; i >= 0; i -= 1) {
    for (let k = i + 1; k < found.length; k += 1) found[i] = (found[i] as number) - at(k, i) * (found[k] as number);
    found[i] = (found[i] as number) / at(i, i);
  }
  return found;
}
