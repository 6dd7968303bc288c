import type { Hypothesis } from "../hypothesis.ts";

/** The hypotheses that stood in each round, oldest round first. */
export type Standing = Hypothesis[][];

/** In how many rounds, up to and with the given one (0-based), the hypothesis or an ancestor of it stood (§5). */
export function roundsRefined(standing: Standing, round: number, id: string): number {
  let line = new Set([id]);
  let count = 0;
  for (let index = round; index >= 0; index -= 1) {
    const present = (standing[index] ?? []).filter((hypothesis) => line.has(hypothesis.id));
    if (present.length > 0) count += 1;
    line = new Set([...line, ...present.flatMap((hypothesis) => hypothesis.from ?? [])]);
  }
  return count;
}
