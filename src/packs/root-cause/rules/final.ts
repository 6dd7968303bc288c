import { reasonerNames } from "../schemas/hypothesis.ts";
import type { FinalHypothesis, Round, TopHypothesis } from "../schemas/round.ts";
import { countRoundsRefined } from "./lineage.ts";

/** The highest judge score over all rounds, the earliest on a tie (root-cause spec §4.5); null if nothing was put forward. */
export function findBestTop(rounds: Round[]): { top: TopHypothesis; round: number } | null {
  let best: { top: TopHypothesis; round: number } | null = null;
  for (const [round, { top_hypothesis: top }] of rounds.entries()) {
    if (!top) continue;
    if (!best || (top.judge_score ?? -1) > (best.top.judge_score ?? -1)) best = { top, round };
  }
  return best;
}

/** The best hypothesis over all rounds in the shape of the output (root-cause spec §5). */
export function pickFinal(rounds: Round[]): FinalHypothesis | null {
  const best = findBestTop(rounds);
  return (
    best && {
      ...shapeFinal(best.top),
      rounds_refined: countRoundsRefined(listByRound(rounds), best.round, best.top.id),
    }
  );
}

function listByRound(rounds: Round[]) {
  return rounds.map(({ hypotheses }) => reasonerNames.flatMap((name) => hypotheses[name] ?? []));
}

function shapeFinal(top: TopHypothesis): Omit<FinalHypothesis, "rounds_refined"> {
  const { hypothesis, confidence, judge_score, source, reasoning, evidence } = top;
  const { suggested_resolution: resolution, category, affected_components, causal_path } = top;
  const words = { hypothesis, confidence, judge_score, source, reasoning, evidence, resolution };
  return { ...words, category, affected_components, causal_path };
}
