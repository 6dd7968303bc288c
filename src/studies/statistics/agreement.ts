import { sampleCorrelation } from "simple-statistics";

/** Phi of the errors of each pair over the items both answered; null when one is always right or always wrong. */
export function errorCorrelations(rights: readonly (readonly (boolean | null)[])[]): (number | null)[] {
  return rights.flatMap((first, i) => rights.slice(i + 1).map((second) => correlateErrors(first, second)));
}

function correlateErrors(first: readonly (boolean | null)[], second: readonly (boolean | null)[]): number | null {
  const both = first.flatMap((one, i) => (one === null || second[i] == null ? [] : [[Number(one), Number(second[i])]]));
  if ([0, 1].some((side) => new Set(both.map((pair) => pair[side])).size < 2)) return null;
  return sampleCorrelation(
    both.map(([one = 0]) => one),
    both.map(([, other = 0]) => other),
  );
}

export function effectiveVotes(players: number, correlation: number): number {
  return players / (1 + (players - 1) * Math.max(0, correlation));
}
