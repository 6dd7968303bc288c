import * as z from "zod";
import { QuorumSchema } from "../../contract/result.ts";
import { UsageSchema } from "../../contract/budget.ts";
import type { Debate } from "../../engine/debate.ts";
import { listSeparate, pickFinal, settle } from "./rules/settle.ts";
import type { Material } from "./schemas/material.ts";
import { DebateRecordSchema, type Round } from "./schemas/round.ts";

/** The result of a root-cause debate (root-cause spec §5). */
export const RootCauseDecisionSchema = z.strictObject({
  ...DebateRecordSchema.shape,
  quorum: QuorumSchema,
  usage: UsageSchema,
});
export type RootCauseDecision = z.infer<typeof RootCauseDecisionSchema>;

type Stop = { stop_reason: RootCauseDecision["stop_reason"] | null; convergence_achieved: boolean };

/** The decision after the rounds so far; while the debate goes on, its stop reason is the round limit. */
export function decide(
  rounds: Round[],
  stop: Stop,
  { debate, material }: { debate: Pick<Debate, "quorum" | "usage">; material: Material },
): RootCauseDecision {
  const separate = listSeparate(rounds, material);
  return {
    rounds,
    final_hypothesis: pickFinal(rounds, material),
    ...(separate.length > 0 && { separate_incidents: separate }),
    caveats: settle(rounds, material).caveats,
    convergence_achieved: stop.convergence_achieved,
    stop_reason: stop.stop_reason ?? "max_rounds",
    total_rounds: rounds.length,
    improvement_trajectory: rounds.flatMap(({ top_hypothesis }) => top_hypothesis?.judge_score ?? []),
    quorum: debate.quorum(),
    usage: debate.usage(),
  };
}
