import type { Debate } from "../../../engine/debate.ts";
import type { RootCauseDecision, Round } from "../decision.ts";
import { finalHypothesis } from "./final.ts";

type Stop = { stop_reason: RootCauseDecision["stop_reason"] | null; convergence_achieved: boolean };

/** The output object of the rounds so far (root-cause §5); while the debate goes on, the reason is its limit of rounds. */
export function decisionOf(rounds: Round[], stop: Stop, debate: Pick<Debate, "quorum" | "usage">): RootCauseDecision {
  return {
    rounds,
    final_hypothesis: finalHypothesis(rounds),
    convergence_achieved: stop.convergence_achieved,
    stop_reason: stop.stop_reason ?? "max_rounds",
    total_rounds: rounds.length,
    improvement_trajectory: rounds.flatMap(({ top_hypothesis }) => top_hypothesis?.judge_score ?? []),
    quorum: debate.quorum(),
    usage: debate.usage(),
  };
}
