import { effectiveVotes, errorCorrelations, meanOf, wilson } from "../statistics/statistics.ts";
import { type JudgmentRow, requireMatch, requireNames } from "./votes.ts";

export type JudgeVerdict =
  | "fit to judge"
  | "biased but informative"
  | "no better than chance: use only with learnt weights"
  | "below chance: use only with learnt weights"
  | "too few cases";

/** The check-up of one judge; shares are 0..1, and what the cases cannot tell is null. */
export type JudgeCheck = ReturnType<typeof checkJudge>;

export function checkJudges(rows: readonly JudgmentRow[], wanted?: readonly string[]): JudgeCheck[] {
  const found = [...new Set(rows.flatMap(({ judgments }) => Object.keys(judgments)))];
  requireNames(wanted ?? [], found);
  requireMatch(rows.map(({ id, gold, judgments }) => ({ id, gold, answers: Object.values(judgments).flat() })));
  const seats = wanted ?? found;
  const winners = new Map(seats.map((seat) => [seat, winnersOf(rows, seat)]));
  return seats.map((seat) => checkJudge(rows, seat, winners));
}

function checkJudge(rows: readonly JudgmentRow[], seat: string, winners: Map<string, Map<number, string>>) {
  const own = rows.filter(({ judgments }) => judgments[seat] !== undefined);
  const n = new Set(own.map(({ id }) => id)).size;
  const all = own.flatMap((row) => (row.judgments[seat] ?? []).map((winner, order) => ({ row, winner, order })));
  const accuracy = share(all, ({ row, winner }) => winner === row.gold) ?? 0;
  const spread = wilson(accuracy * n, n);
  const given = all.filter(({ winner }) => winner === "1" || winner === "2");
  const both = own.filter(({ judgments }) => judgments[seat]?.length === 2);
  const swapped = given.filter(({ row }) => row.judgments[seat]?.length === 2);
  const sized = given.flatMap(({ row, winner }) =>
    row.lengths && row.lengths[0] !== row.lengths[1] ? [(winner === "1") === row.lengths[0] > row.lengths[1]] : [],
  );
  const low = spread?.low ?? 0;
  const swap = share(both, ({ judgments }) => judgments[seat]?.[0] === judgments[seat]?.[1]);
  const first = share(swapped, ({ winner, order }) => winner === (order === 0 ? "1" : "2"));
  return {
    seat,
    n,
    /** Right over both orders; no verdict is a wrong one. */
    accuracy,
    interval: [low, spread?.high ?? 1] as [number, number],
    same_under_swap: swap,
    prefers_first: first,
    prefers_longer: share(sized, Boolean),
    agrees_with_others: meanAgreement(seat, winners),
    agrees_with_itself: agreeAgain(own, seat),
    verdict: judge({ n, accuracy, low, swap, first }),
  };
}

/** Fewer cases than this leave an interval that is wider than what it should tell. */
export const fewestCases = 30;

type Measured = Record<"n" | "accuracy" | "low", number> & Record<"swap" | "first", number | null>;

function judge({ n, accuracy, low, swap, first }: Measured): JudgeVerdict {
  if (n < fewestCases) return "too few cases";
  if (accuracy < 0.5) return "below chance: use only with learnt weights";
  if (low <= 0.5) return "no better than chance: use only with learnt weights";
  const isSteady = (swap ?? 1) >= 0.8 && Math.abs((first ?? 0.5) - 0.5) <= 0.1;
  return isSteady && low >= 0.65 ? "fit to judge" : "biased but informative";
}

export function compareJudges(rows: readonly JudgmentRow[], seats: readonly string[]): (number | null)[][] {
  const winners = seats.map((seat) => winnersOf(rows, seat));
  return winners.map((one, i) => winners.map((other, j) => (i === j ? 1 : agreement(one, other))));
}

export function countIndependent(rows: readonly JudgmentRow[], seats: readonly string[]): number | null {
  const rights = seats.map((seat) => {
    const winners = winnersOf(rows, seat);
    return rows.map(({ gold }, i) => (winners.has(i) ? winners.get(i) === gold : null));
  });
  const found = errorCorrelations(rights).flatMap((one) => one ?? []);
  return found.length === 0 ? null : effectiveVotes(seats.length, meanOf(found));
}

/** Whom a seat holds to be the winner of each row; none where it contradicts itself or is silent. */
function winnersOf(rows: readonly JudgmentRow[], seat: string): Map<number, string> {
  return new Map(
    rows.flatMap(({ judgments }, i): [number, string][] => {
      const [first, ...more] = judgments[seat] ?? [];
      return first && more.every((one) => one === first) ? [[i, first]] : [];
    }),
  );
}

function meanAgreement(seat: string, winners: Map<string, Map<number, string>>): number | null {
  const own = winners.get(seat) ?? new Map<number, string>();
  const found = [...winners].flatMap(([name, other]) => (name === seat ? [] : (agreement(own, other) ?? [])));
  return found.length === 0 ? null : meanOf(found);
}

function agreement(one: Map<number, string>, other: Map<number, string>): number | null {
  return share(
    [...one].filter(([i]) => other.has(i)),
    ([i, winner]) => other.get(i) === winner,
  );
}

function agreeAgain(rows: readonly JudgmentRow[], seat: string): number | null {
  const again = [...Map.groupBy(rows, ({ id }) => id).values()].flatMap(([first, ...rest]) =>
    rest.flatMap(({ judgments }) =>
      (judgments[seat] ?? []).map((winner, order) => winner === first?.judgments[seat]?.[order]),
    ),
  );
  return share(again, Boolean);
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(holds).length / items.length;
}
