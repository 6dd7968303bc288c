import {
  boundShare,
  effectiveVotes,
  errorCorrelations,
  meanOf,
  type PairedTest,
  testPaired,
  wilson,
} from "../statistics/statistics.ts";
import { folds, type JudgmentRow, requireMatch, requireNames, splitRows, type VoteRow } from "./votes.ts";

type Decided = { accuracy: number; calls: number };
type Way = Decided & { use: string };

/** Quality of a panel on labelled cases; shares are 0..1. */
export type PanelMeasure = ReturnType<typeof measurePanel>;

export function measurePanel(rows: readonly VoteRow[], panel: readonly string[]) {
  const n = rows.length;
  const parts = splitRows(rows);
  const ended = decideAll(rows, panel, parts);
  const ways = [...ended].map(([use, own]): Way => ({ use, ...summarise(own) }));
  const accuracies = panel.map((name) => shareRight(rows, (row) => row.votes[name] === row.gold));
  const wrong = rows.filter((row) => panel.every((name) => row.votes[name] !== row.gold)).length;
  const rho = meanCorrelation(rows, panel);
  const findWay = (name: string): Way => ways.find(({ use }) => use === name) as Way;
  const alone = ended.get("best single") as Ended[];
  const against_single = [...ended].flatMap(([way, own]) =>
    way === "best single" ? [] : [{ way, ...testPaired(alone.map(score), own.map(score)) }],
  );
  return {
    n,
    members: panel.map((name, i) => describeMember(rows, name, accuracies[i] as number)),
    /** In hindsight: nobody knew beforehand which member would be best. */
    best_single: Math.max(0, ...accuracies),
    ways,
    vote: findWay("vote").accuracy,
    stop_at_two: findWay("stop at two"),
    /** The share of cases on which every member is wrong; no way of combining them can do better. */
    beta: n === 0 ? 0 : wrong / n,
    beta_upper: boundShare(wrong, n, 0.95),
    ceiling: n === 0 ? 1 : 1 - wrong / n,
    /** Null when a member is always or never right. */
    rho,
    n_eff: rho === null ? null : effectiveVotes(panel.length, rho),
    ...splitByAgreement(rows, panel, ended.get("vote") as Ended[]),
    against_single,
    advice: advise(ways, against_single)?.use ?? "",
  };
}

type Ended = { right: boolean; calls: number };

/** Every method on every case; the best single member is chosen on the other parts. */
function decideAll(rows: readonly VoteRow[], panel: readonly string[], parts: readonly number[]) {
  const best = Array.from({ length: folds }, (_, part) => {
    const train = rows.filter((_row, i) => parts[i] !== part);
    const rights = panel.map((name) => shareRight(train, (row) => row.votes[name] === row.gold));
    return panel[rights.indexOf(Math.max(...rights))] ?? "";
  });
  const ended = (row: VoteRow, answer: string | null, calls: number): Ended => ({ right: answer === row.gold, calls });
  return new Map<string, Ended[]>([
    ["best single", rows.map((row, i) => ended(row, row.votes[best[parts[i] as number] ?? ""] ?? null, 1))],
    [
      "stop at two",
      rows.map((row) => {
        const { answer, calls } = askInOrder(row.votes, panel);
        return ended(row, answer, calls);
      }),
    ],
    ["vote", rows.map((row) => ended(row, vote(row.votes, panel), panel.length))],
  ]);
}

function describeMember(rows: readonly VoteRow[], name: string, accuracy: number) {
  const interval = wilson(Math.round(accuracy * rows.length), rows.length) ?? { estimate: accuracy, low: 0, high: 1 };
  return { name, accuracy, interval, answered: shareRight(rows, (row) => (row.votes[name] ?? null) !== null) };
}

function meanCorrelation(rows: readonly VoteRow[], panel: readonly string[]): number | null {
  const found = errorCorrelations(panel.map((name) => rows.map(({ votes, gold }) => votes[name] === gold)));
  if (found.length === 0) return 0;
  if (found.some((one) => one === null)) return null;
  return meanOf(found.map((one) => one ?? 0));
}

function splitByAgreement(rows: readonly VoteRow[], panel: readonly string[], voted: readonly Ended[]) {
  const agreed = rows.map(({ votes }) => {
    const [first] = panel;
    return first !== undefined && votes[first] !== null && panel.every((name) => votes[name] === votes[first]);
  });
  const side = (wanted: boolean) => {
    const own = voted.filter((_, i) => agreed[i] === wanted);
    return {
      share: rows.length === 0 ? 0 : own.length / rows.length,
      accuracy: own.length === 0 ? null : summarise(own).accuracy,
    };
  };
  return { unanimous: side(true), split: side(false) };
}

/** The cheapest way that is shown to beat the best single member; otherwise that member alone. */
function advise(ways: readonly Way[], against: readonly (PairedTest & { way: string })[]): Way | undefined {
  const better = new Set(against.flatMap(({ way, p, difference }) => (p < 0.05 && difference.estimate > 0 ? way : [])));
  const shown = ways.filter(({ use }) => better.has(use)).toSorted((one, other) => one.calls - other.calls);
  return shown[0] ?? ways[0];
}

function summarise(ended: readonly Ended[]): Decided {
  const count = Math.max(1, ended.length);
  return {
    accuracy: ended.filter(({ right }) => right).length / count,
    calls: ended.reduce((sum, { calls }) => sum + calls, 0) / count,
  };
}

function score({ right }: Ended): number {
  return right ? 1 : 0;
}

function shareRight(rows: readonly VoteRow[], isRight: (row: VoteRow) => boolean): number {
  return rows.length === 0 ? 0 : rows.filter(isRight).length / rows.length;
}

export type Votes = Readonly<Record<string, string | null>>;

/** Ties go to the first member, and no answer is no vote. */
export function vote(votes: Votes, panel: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const name of panel) {
    const answer = votes[name] ?? null;
    if (answer !== null) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  }
  let best: string | null = null;
  for (const [answer, count] of counts) if (best === null || count > (counts.get(best) as number)) best = answer;
  return best;
}

/** Asks one member after the other until two agree. */
export function askInOrder(votes: Votes, panel: readonly string[]): { answer: string | null; calls: number } {
  const counts = new Map<string, number>();
  for (const [i, name] of panel.entries()) {
    const answer = votes[name] ?? null;
    if (answer === null) continue;
    counts.set(answer, (counts.get(answer) ?? 0) + 1);
    if (counts.get(answer) === 2) return { answer, calls: i + 1 };
  }
  return { answer: vote(votes, panel), calls: panel.length };
}

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

function share<T>(items: readonly T[], holds: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(holds).length / items.length;
}
