import type { JudgedPosition } from "../results/results.ts";

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
