import { reasonerNames } from "../schemas/hypothesis.ts";
import type { Evaluation } from "../schemas/judgement.ts";
import type { Round } from "../schemas/round.ts";
import { type AnonymousHypothesis, anonymise } from "./anonymise.ts";

/** A round as it is told in later ones: the hypotheses under the labels that the judge knew them by, and what it said of them. */
export type ToldRound = { round: number; hypotheses: AnonymousHypothesis[]; evaluated: Evaluation[] };

/** The judged rounds so far, as every later speaker is told them. */
export function tellRounds(rounds: readonly Round[]): ToldRound[] {
  return rounds.flatMap(({ round_number, hypotheses, judge_evaluation }) => {
    if (!judge_evaluation) return [];
    const evaluated = judge_evaluation.evaluated.toSorted((a, b) => numberOf(a) - numberOf(b));
    const all = reasonerNames.flatMap((name) => hypotheses[name] ?? []);
    const labelled = evaluated.flatMap(({ label, id, source }) => {
      const hypothesis = all.find((one) => one.id === id);
      return hypothesis ? [{ label, source, hypothesis }] : [];
    });
    return [{ round: round_number, hypotheses: anonymise(labelled), evaluated }];
  });
}

function numberOf({ label }: Evaluation): number {
  return Number(label.replace(/\D/g, ""));
}
