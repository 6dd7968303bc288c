import type { JudgedPosition } from "../results/results.ts";

/** What a role did from its position before to the one in `round` (product spec §5.3). */
export type FlipRow = {
  round: number;
  role: string;
  wrong_to_right: number;
  right_to_wrong: number;
  /** Times the role went over to the majority of the round before, and how often that spoilt a right position. */
  conformed: number;
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
    for (const move of listMoves(positions)) {
      const { round, role } = move.after;
      const key = JSON.stringify([round, role]);
      const row = rows.get(key) ?? createFlipRow(round, role);
      rows.set(key, row);
      count(row, move, run_id);
    }
  return [...rows.values()].sort((a, b) => a.round - b.round || (a.role < b.role ? -1 : 1));
}

type Move = { before: JudgedPosition; after: JudgedPosition; majority: string | null };

/**
 * Each step of a role from one position to its next on the same item. A role that speaks on it for the first time after
 * others did (a judge, a reviewer) moves from where these stood, if they agreed. Positions without gold are no step.
 */
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

function count(row: FlipRow, { before, after, majority }: Move, runId: string): void {
  const conformed = majority !== null && before.answer !== majority && after.answer === majority;
  if (conformed) row.conformed++;
  if (!before.correct && after.correct) {
    row.wrong_to_right++;
    row.fixed_runs.push(runId);
  }
  if (before.correct && !after.correct) {
    row.right_to_wrong++;
    row.broken_runs.push(runId);
    if (conformed) row.conformed_right_to_wrong++;
  }
}

function createFlipRow(round: number, role: string): FlipRow {
  const counts = { wrong_to_right: 0, right_to_wrong: 0, conformed: 0, conformed_right_to_wrong: 0 };
  return { round, role, ...counts, fixed_runs: [], broken_runs: [] };
}

/** The answer that more than half of the roles gave in their last word, or null. */
function findMajority(positions: readonly JudgedPosition[]): string | null {
  const last = [...new Map(positions.map((one) => [one.role, one.answer])).values()];
  const groups = [...Map.groupBy(last, (answer) => answer)];
  return groups.find(([, same]) => same.length * 2 > last.length)?.[0] ?? null;
}
