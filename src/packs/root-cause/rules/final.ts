import type { FinalHypothesis, Round, TopHypothesis } from "../decision.ts";
import { reasonerNames } from "../hypothesis.ts";
import { roundsRefined } from "./lineage.ts";

/** The highest judge score over all rounds, the earliest on a tie (root-cause §4); null if nothing stood. */
export function bestTop(rounds: Round[]): { top: TopHypothesis; round: number } | null {
  let best: { top: TopHypothesis; round: number } | null = null;
  for (const [round, { top_hypothesis: top }] of rounds.entries()) {
    if (!top) continue;
    if (!best || (top.judge_score ?? -1) > (best.top.judge_score ?? -1)) best = { top, round };
  }
  return best;
}

/** The best hypothesis over all rounds in the shape of the output (root-cause §5). */
export function finalHypothesis(rounds: Round[]): FinalHypothesis | null {
  const best = bestTop(rounds);
  return best && { ...finalOf(best.top), rounds_refined: roundsRefined(standingOf(rounds), best.round, best.top.id) };
}

function standingOf(rounds: Round[]) {
  return rounds.map(({ hypotheses }) => reasonerNames.flatMap((name) => hypotheses[name] ?? []));
}

function finalOf(top: TopHypothesis): Omit<FinalHypothesis, "rounds_refined"> {
  const { hypothesis, confidence, judge_score, source, reasoning, evidence } = top;
  const { suggested_resolution: resolution, category, affected_components, causal_path } = top;
  const words = { hypothesis, confidence, judge_score, source, reasoning, evidence, resolution };
  return { ...words, category, affected_components, causal_path };
}
