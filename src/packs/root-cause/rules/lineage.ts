import type { Hypothesis } from "../schemas/hypothesis.ts";

/**
 * Counts the rounds, up to and with the given one (0-based), in which the hypothesis or an ancestor of it was put forward
 * (root-cause spec §4.5); `byRound` has the hypotheses of each round, oldest round first.
 */
export function countRoundsRefined(byRound: Hypothesis[][], round: number, id: string): number {
  let line = new Set([id]);
  let count = 0;
  for (let index = round; index >= 0; index -= 1) {
    const present = (byRound[index] ?? []).filter((hypothesis) => line.has(hypothesis.id));
    if (present.length > 0) count += 1;
    line = new Set([...line, ...present.flatMap((hypothesis) => hypothesis.from ?? [])]);
  }
  return count;
}
