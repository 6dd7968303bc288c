import type { JudgedPosition } from "../results/scorecard.ts";
import type { RunPositions } from "./flip-ledger.ts";
import { listMostCommon } from "./majority.ts";

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
