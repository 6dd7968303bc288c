import { applyJury, type Jury } from "../../contract/jury.ts";
import { ParleyError } from "../../contract/error.ts";
import { type LabelledBallot, learnJury } from "./learn-jury.ts";
import { splitRows } from "./measure-panel.ts";
import type { JudgmentRow, VoteRow } from "./votes.ts";

/** What a jury came to on ballots that it had not learnt from. */
export type JuryMeasure = {
  n: number;
  seats: string[];
  /** Of a plain vote; a draw counts half. */
  majority: number;
  learnt: {
    accuracy: number;
    /** The share of cases that can be acted on so that at most so many of these are wrong. */
    coverage: { "0.05": number; "0.10": number };
    /** How many are wrong when only the most certain share is acted on. */
    curve: { coverage: number; wrong: number }[];
  };
  l2: number;
  weights: Record<string, number>;
  /** Every ballot's confidence and whether it was right, for certificates. */
  decided: { id: string; confidence: number; right: boolean }[];
};

/** The labels of a file in the form that a jury learns from. */
export type Labels = { ballots: LabelledBallot[]; seats: string[] };

/** The ballots of pairs judged in both orders: one of the two answers is right. */
export function ballotsOfJudgments(rows: readonly JudgmentRow[], wanted?: readonly string[]): Labels {
  const seats = wanted ? [...wanted] : [...new Set(rows.flatMap(({ judgments }) => Object.keys(judgments)))];
  const ballots = rows.map(({ id, gold, judgments, labelled_by }) => ({
    id,
    gold,
    answers: ["1", "2"],
    labelledBy: labelled_by ?? null,
    votes: seats.flatMap((seat) => (judgments[seat] ?? []).map((answer) => ({ seat, answer }))),
  }));
  return requireLabels(ballots, seats);
}

/** The ballots of a panel's votes: the right answer may be none of those given. */
export function ballotsOfVotes(rows: readonly VoteRow[], wanted?: readonly string[]): Labels {
  const seats = wanted ? [...wanted] : [...new Set(rows.flatMap(({ votes }) => Object.keys(votes)))];
  const ballots = rows.map(({ id, gold, votes, category, labelled_by }) => ({
    id,
    gold,
    category: category ?? null,
    answers: [],
    labelledBy: labelled_by ?? null,
    votes: seats.flatMap((seat) => (votes[seat] === undefined ? [] : [{ seat, answer: votes[seat] ?? null }])),
  }));
  return requireLabels(ballots, seats);
}

/** How many labels a jury of so many seats needs. */
export function countLabelsNeeded(seats: number): number {
  return Math.max(50, 5 * seats);
}

/** Refuses what no honest jury can be learnt from; copies of a case count once. */
function requireLabels(rows: (LabelledBallot & { labelledBy: string | null })[], seats: string[]): Labels {
  const ballots = [...new Map(rows.map((one) => [one.id, one])).values()];
  const sources = [...new Set(rows.map(({ labelledBy }) => labelledBy))];
  const made = sources.find((one) => one !== null && /^(model|program)\b/.test(one));
  if (made !== undefined)
    throw new ParleyError(
      "bad_input",
      `some labels were made by a ${made}: a jury that learns from them learns to agree with it; give labels of people or of a key`,
    );
  if (sources.length > 1)
    throw new ParleyError(
      "bad_input",
      `the labels come from ${sources.length} sources (${sources.map((one) => one ?? "not said").join(", ")}); learn from one of them`,
    );
  const needed = countLabelsNeeded(seats.length);
  if (ballots.length < needed)
    throw new ParleyError(
      "bad_input",
      `${seats.length} seats need at least ${needed} labelled cases, and there are ${ballots.length}: ${needed - ballots.length} more, or fewer seats`,
    );
  const oracle = seats.find((seat) => isOracle(ballots, seat));
  if (oracle !== undefined)
    throw new ParleyError(
      "bad_input",
      `"${oracle}" agrees with every label, as if it had made them: a jury would learn to repeat it`,
    );
  return { ballots, seats };
}

function isOracle(ballots: readonly LabelledBallot[], seat: string): boolean {
  return ballots.every(({ votes, gold }) => {
    const own = votes.filter((one) => one.seat === seat);
    return own.length > 0 && own.every(({ answer }) => answer === gold);
  });
}

const folds = 5;

/** Measures a jury on ballots that its weights were not learnt from, over several ways of parting them. */
export function measureJury({ ballots, seats }: Labels): JuryMeasure {
  const repeats = ballots.length < 1000 ? 3 : 1;
  const rounds = Array.from({ length: repeats }, (_, seed) => crossValidate(ballots, seed));
  const mean = (of: (one: (typeof rounds)[number]) => number): number =>
    rounds.reduce((sum, one) => sum + of(one), 0) / rounds.length;
  const first = rounds[0] as (typeof rounds)[number];
  const { weights, l2 } = learnJury(ballots);
  return {
    n: ballots.length,
    seats,
    majority: ballots.reduce((sum, one) => sum + scoreMajority(one), 0) / ballots.length,
    learnt: {
      accuracy: mean((one) => one.filter(({ right }) => right).length / one.length),
      coverage: { "0.05": mean((one) => coverAt(one, 0.05)), "0.10": mean((one) => coverAt(one, 0.1)) },
      curve: abstain(first),
    },
    l2,
    weights,
    decided: first,
  };
}

function crossValidate(ballots: readonly LabelledBallot[], seed: number): JuryMeasure["decided"] {
  const parts = splitRows(ballots, seed);
  const juries = Array.from({ length: folds }, (_, part) => learnJury(ballots.filter((_one, i) => parts[i] !== part)));
  return ballots.map((one, i) => {
    const { answer, confidence } = applyJury(
      juries[parts[i] as number] as Pick<Jury, "weights" | "none">,
      one,
      one.answers,
    );
    return { id: one.id, confidence, right: answer === one.gold };
  });
}

function scoreMajority({ votes, gold }: LabelledBallot): number {
  const counts = new Map<string, number>();
  for (const { answer } of votes) if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const winners = [...counts].filter(([, count]) => count === most).map(([answer]) => answer);
  return winners.includes(gold) ? 1 / winners.length : 0;
}

function coverAt(decided: JuryMeasure["decided"], most: number): number {
  return Math.max(0, ...abstain(decided).flatMap(({ coverage, wrong }) => (wrong <= most ? [coverage] : [])));
}

function abstain(decided: JuryMeasure["decided"]): { coverage: number; wrong: number }[] {
  const sorted = decided.toSorted((a, b) => b.confidence - a.confidence);
  let wrong = 0;
  return sorted.flatMap(({ right, confidence }, i) => {
    if (!right) wrong++;
    return sorted[i + 1]?.confidence === confidence
      ? []
      : [{ coverage: (i + 1) / sorted.length, wrong: wrong / (i + 1) }];
  });
}

/** The jury file of all these labels. */
export function makeJury({ ballots }: Labels, measured: JuryMeasure, source: string, at: string): Jury {
  const { weights, none, l2 } = learnJury(ballots);
  const { n: cases, majority, learnt } = measured;
  return {
    format: "parley-jury",
    version: 1,
    weights,
    none,
    learnt_on: { source, cases, accuracy: learnt.accuracy, majority, l2 },
    made_at: at,
  };
}
