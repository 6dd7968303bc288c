import { effectiveVotes, errorCorrelations, meanOf, wilson } from "../statistics/statistics.ts";
import { type JudgmentRow, requireMatch, requireNames } from "./votes.ts";

export type JudgeVerdict =
  | "fit to judge"
  | "biased but informative"
  | "no better than chance"
  | "below chance"
  | "too few cases";

/** Check of one judge; shares are 0..1, null when the cases cannot tell. */
export type JudgeCheck = ReturnType<typeof checkJudge>;

export function checkJudges(rows: readonly JudgmentRow[], wanted?: readonly string[]): JudgeCheck[] {
  const found = [...new Set(rows.flatMap(({ judgments }) => Object.keys(judgments)))];
  requireNames(wanted ?? [], found);
  requireMatch(rows.map(({ id, gold, judgments }) => ({ id, gold, answers: Object.values(judgments).flat() })));
  return (wanted ?? found).map((judge) => checkJudge(rows, judge));
}

function checkJudge(rows: readonly JudgmentRow[], judge: string) {
  const own = rows.filter(({ judgments }) => judgments[judge] !== undefined);
  const n = new Set(own.map(({ id }) => id)).size;
  const all = own.flatMap((row) => (row.judgments[judge] ?? []).map((winner, order) => ({ row, winner, order })));
  const accuracy = share(all, ({ row, winner }) => winner === row.gold) ?? 0;
  const spread = wilson(accuracy * n, n);
  const given = all.filter(({ winner }) => winner === "1" || winner === "2");
  const both = own.filter(({ judgments }) => judgments[judge]?.length === 2);
  const swapped = given.filter(({ row }) => row.judgments[judge]?.length === 2);
  const sized = given.flatMap(({ row, winner }) =>
    row.lengths && row.lengths[0] !== row.lengths[1] ? [(winner === "1") === row.lengths[0] > row.lengths[1]] : [],
  );
  const low = spread?.low ?? 0;
  const swap = share(both, ({ judgments }) => judgments[judge]?.[0] === judgments[judge]?.[1]);
  const first = share(swapped, ({ winner, order }) => winner === (order === 0 ? "1" : "2"));
  return {
    judge,
    n,
    /** Over both orders; a missing verdict counts as wrong. */
    accuracy,
    interval: [low, spread?.high ?? 1] as [number, number],
    same_under_swap: swap,
    prefers_first: first,
    prefers_longer: share(sized, Boolean),
    verdict: reachVerdict({ n, accuracy, low, swap, first }),
  };
}

/** With fewer cases the interval is too wide to be useful. */
export const fewestCases = 30;

type Measured = Record<"n" | "accuracy" | "low", number> & Record<"swap" | "first", number | null>;

function reachVerdict({ n, accuracy, low, swap, first }: Measured): JudgeVerdict {
  if (n < fewestCases) return "too few cases";
  if (accuracy < 0.5) return "below chance";
  if (low <= 0.5) return "no better than chance";
  const isSteady = (swap ?? 1) >= 0.8 && Math.abs((first ?? 0.5) - 0.5) <= 0.1;
  return isSteady && low >= 0.65 ? "fit to judge" : "biased but informative";
}

export function countIndependent(rows: readonly JudgmentRow[], judges: readonly string[]): number | null {
  const rights = judges.map((judge) => {
    const winners = winnersOf(rows, judge);
    return rows.map(({ gold }, i) => (winners.has(i) ? winners.get(i) === gold : null));
  });
  const found = errorCorrelations(rights).flatMap((one) => one ?? []);
  return found.length === 0 ? null : effectiveVotes(judges.length, meanOf(found));
}

/** A judge's winner of each row; null if it contradicts itself or gives no verdict. */
function winnersOf(rows: readonly JudgmentRow[], judge: string): Map<number, string> {
  return new Map(
    rows.flatMap(({ judgments }, i): [number, string][] => {
      const [first, ...more] = judgments[judge] ?? [];
      return first && more.every((one) => one === first) ? [[i, first]] : [];
    }),
  );
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(holds).length / items.length;
}
