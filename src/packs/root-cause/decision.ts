import * as z from "zod";
import { QuorumSchema } from "../../contract/result.ts";
import { UsageSchema } from "../../contract/usage.ts";
import type { Debate } from "../../engine/debate.ts";
import { analyse } from "../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../knowledge/logs/index.ts";
import { locateRef } from "./rules/cite-line.ts";
import { pickFinal } from "./rules/final.ts";
import { listSeparate } from "./rules/separate.ts";
import { DebateRecordSchema, type Round } from "./schemas/round.ts";

/** What a root-cause debate comes to (root-cause spec §5). */
export const RootCauseDecisionSchema = z.strictObject({
  ...DebateRecordSchema.shape,
  quorum: QuorumSchema,
  usage: UsageSchema,
});
export type RootCauseDecision = z.infer<typeof RootCauseDecisionSchema>;

type Stop = { stop_reason: RootCauseDecision["stop_reason"] | null; convergence_achieved: boolean };

/** The decision that the rounds so far come to; while the debate goes on, its stop reason is the limit of rounds. */
export function decide(
  rounds: Round[],
  stop: Stop,
  { debate, log }: { debate: Pick<Debate, "quorum" | "usage">; log: ParsedLog },
): RootCauseDecision {
  const final = pickFinal(rounds);
  const { strands } = analyse(log);
  const separate = listSeparate(rounds, final, { strands, locate: (ref) => locateRef(log, ref) });
  return {
    rounds,
    final_hypothesis: final,
    ...(separate.length > 0 && { separate_incidents: separate }),
    convergence_achieved: stop.convergence_achieved,
    stop_reason: stop.stop_reason ?? "max_rounds",
    total_rounds: rounds.length,
    improvement_trajectory: rounds.flatMap(({ top_hypothesis }) => top_hypothesis?.judge_score ?? []),
    quorum: debate.quorum(),
    usage: debate.usage(),
  };
}
