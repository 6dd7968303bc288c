import { createRandom, shuffle } from "../../../text/random.ts";
import type { Hypothesis } from "../schemas/hypothesis.ts";
import type { Labelled } from "./judge-score.ts";
import type { Spoken } from "./round.ts";

/** A hypothesis as the judge sees it: its words and its evidence, but neither its id nor who wrote it. */
export type AnonymousHypothesis = { label: string } & Omit<Hypothesis, "id" | "from" | "changes_made">;

/**
 * Puts all hypotheses under labels H1, H2… in an order that depends on the seed and the round alone (root-cause spec §4.3);
 * labels go on from those of earlier rounds, so that each is of one hypothesis.
 */
export function labelAll(spoken: Spoken[], seed: number, round: number, used = 0): Labelled[] {
  const all = spoken.flatMap(({ source, hypotheses }) => hypotheses.map((hypothesis) => ({ source, hypothesis })));
  return shuffle(all, createRandom(seed * 31 + round)).map((item, index) => ({
    label: `H${used + index + 1}`,
    ...item,
  }));
}

/** Leaves only what the judge may see: no id, no source, no history. */
export function anonymise(labelled: Labelled[]): AnonymousHypothesis[] {
  return labelled.map(({ label, hypothesis: { id: _id, from: _from, changes_made: _changes, ...rest } }) => ({
    label,
    ...rest,
  }));
}
