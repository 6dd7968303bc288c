import type { JudgedPosition } from "../results/results.ts";
import { type AnswerRecord, type ErrorCorrelation, errorCorrelations } from "../statistics/agreement.ts";

/** What a role did from its position before to the one in `round` (product spec §5). */
export type FlipRow = {
  round: number;
  role: string;
  /** The role had not spoken on these items before: what it is compared with is where the others stood. */
  entered: boolean;
  wrong_to_right: number;
  right_to_wrong: number;
  wrong_to_wrong: number;
  kept_right: number;
  kept_wrong: number;
  /** Times a role stood against the majority of the round before. */
  against_majority: number;
  /** Of these, times it went over to that majority. */
  conformed: number;
  conformed_wrong_to_right: number;
  conformed_right_to_wrong: number;
  /** Runs behind the two columns that matter, so that each number leads to its debates. */
  fixed_runs: string[];
  broken_runs: string[];
};

/** The positions of one run. */
export type RunPositions = { run_id: string; positions: JudgedPosition[] };

/** Who changed from wrong to right and from right to wrong, round by round and role by role, over many runs. */
export function flipLedger(runs: Iterable<RunPositions>): FlipRow[] {
  const rows = new Map<string, FlipRow>();
  for (const { run_id, positions } of runs)
    for (const move of classifyMoves(positions)) {
      const key = JSON.stringify([move.round, move.role, move.entered]);
      const row = rows.get(key) ?? createFlipRow(move);
      rows.set(key, row);
      count(row, move, run_id);
    }
  return [...rows.values()].sort((a, b) => a.round - b.round || (a.role < b.role ? -1 : 1));
}

type Move = {
  round: number;
  role: string;
  entered: boolean;
  before: JudgedPosition;
  after: JudgedPosition;
  majority: string | null;
};

/** Each step of a role from one position to its next on the same item; positions without gold are no step. */
function classifyMoves(positions: JudgedPosition[]): Move[] {
  const judged = positions.filter((one) => one.correct !== null);
  const byRole = Map.groupBy(judged, (one) => JSON.stringify([one.item, one.role]));
  return [...byRole.values()].flatMap((own) => {
    const ordered = pickLastOfEachRound(own);
    return [
      ...findEntries(ordered[0], judged),
      ...ordered.slice(1).map((after, i) => classifyMove(ordered[i] as JudgedPosition, after, judged)),
    ];
  });
}

function classifyMove(before: JudgedPosition, after: JudgedPosition, judged: JudgedPosition[]): Move {
  const then = judged.filter((one) => one.item === before.item && one.round === before.round);
  const majority = findMajority([...pickLastOfEachRole(then).values()].map((one) => one.answer));
  return { round: after.round, role: after.role, entered: false, before, after, majority };
}

/** A role's first word on an item after others spoke on it (a judge, a reviewer) moves from where these stood, if they agreed. */
function findEntries(first: JudgedPosition | undefined, judged: JudgedPosition[]): Move[] {
  if (!first) return [];
  const earlier = judged.filter((one) => one.item === first.item && one.round < first.round);
  const positions = [...pickLastOfEachRole(earlier.sort((a, b) => a.round - b.round)).values()];
  const answer = findMajority(positions.map((one) => one.answer));
  const before = positions.find((one) => one.answer === answer);
  return before ? [{ round: first.round, role: first.role, entered: true, before, after: first, majority: null }] : [];
}

function pickLastOfEachRound(positions: JudgedPosition[]): JudgedPosition[] {
  return [...new Map(positions.map((one) => [one.round, one])).values()].sort((a, b) => a.round - b.round);
}

function pickLastOfEachRole(positions: JudgedPosition[]): Map<string, JudgedPosition> {
  return new Map(positions.map((one) => [one.role, one]));
}

function count(row: FlipRow, { before, after, majority }: Move, runId: string): void {
  const changed = before.answer !== after.answer;
  const conformed = changed && majority !== null && before.answer !== majority && after.answer === majority;
  if (majority !== null && before.answer !== majority) row.against_majority++;
  if (conformed) row.conformed++;
  if (!before.correct && after.correct) {
    row.wrong_to_right++;
    row.fixed_runs.push(runId);
    if (conformed) row.conformed_wrong_to_right++;
  } else if (before.correct && !after.correct) {
    row.right_to_wrong++;
    row.broken_runs.push(runId);
    if (conformed) row.conformed_right_to_wrong++;
  } else if (before.correct) row.kept_right++;
  else if (changed) row.wrong_to_wrong++;
  else row.kept_wrong++;
}

function createFlipRow({ round, role, entered }: Move): FlipRow {
  return {
    round,
    role,
    entered,
    wrong_to_right: 0,
    right_to_wrong: 0,
    wrong_to_wrong: 0,
    kept_right: 0,
    kept_wrong: 0,
    against_majority: 0,
    conformed: 0,
    conformed_wrong_to_right: 0,
    conformed_right_to_wrong: 0,
    fixed_runs: [],
    broken_runs: [],
  };
}

/** How often a vote of the speakers' positions after a round was right; the debate's own no-debate baseline. */
export type RoundVote = { round: number; items: number; right: number };

/**
 * Votes after each round, over the same items in every round: who fell silent keeps the last word, and a debate that
 * ended early keeps its last vote. Tied answers share the vote, as if it were drawn.
 */
export function roundVotes(runs: Iterable<RunPositions>): RoundVote[] {
  const debates = [...runs].map(({ positions }) => positions.filter((one) => one.correct !== null));
  const rounds = [...new Set(debates.flat().map((one) => one.round))].sort((a, b) => a - b);
  return rounds.map((round) => {
    const positions = debates.flatMap((judged) => findPositionsAfter(judged, round));
    return { round, items: positions.length, right: positions.reduce((sum, one) => sum + measureShareRight(one), 0) };
  });
}

/** Each role's latest position up to a round, item by item. */
function findPositionsAfter(judged: JudgedPosition[], round: number): JudgedPosition[][] {
  const upTo = judged.filter((one) => one.round <= round).sort((a, b) => a.round - b.round);
  const byItem = Map.groupBy(upTo, (one) => one.item);
  return [...byItem.values()].map((own) => [...new Map(own.map((one) => [one.role, one])).values()]);
}

function measureShareRight(positions: JudgedPosition[]): number {
  const winners = listMostCommon(positions.map((one) => one.answer));
  const right = winners.filter((answer) => positions.some((one) => one.answer === answer && one.correct));
  return right.length / winners.length;
}

/** How alike the players err in their first words, before anyone heard another. */
export function correlateOpeningErrors(runs: Iterable<RunPositions>): ErrorCorrelation[] {
  const records = new Map<string, AnswerRecord>();
  for (const { run_id, positions } of runs)
    for (const one of positions.toSorted((a, b) => a.round - b.round)) {
      if (one.correct === null) continue;
      const record = records.get(one.role) ?? { player: one.role, right: new Map() };
      records.set(one.role, record);
      const item = JSON.stringify([run_id, one.item]);
      if (!record.right.has(item)) record.right.set(item, one.correct);
    }
  return errorCorrelations([...records.values()].sort((a, b) => (a.player < b.player ? -1 : 1)));
}

/** The answers given most often; several when they tie, none without an answer. */
export function listMostCommon(answers: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return [...counts].filter(([, count]) => count === most).map(([answer]) => answer);
}

/** The answer that more than half gave, or null. */
export function findMajority(answers: readonly string[]): string | null {
  const [first, ...tied] = listMostCommon(answers);
  if (first === undefined || tied.length > 0) return null;
  return answers.filter((answer) => answer === first).length * 2 > answers.length ? first : null;
}
