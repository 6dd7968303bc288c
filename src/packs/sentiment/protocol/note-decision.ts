import type { Debate } from "../../../engine/debate.ts";
import type { FinalOutput } from "../schemas/final-output.ts";

/** Puts what the rules decided into the transcript, in the order they decided it. */
export function noteDecision(debate: Debate, decision: FinalOutput): void {
  for (const correction of decision.correction_applied_log) debate.note("correction", correction);
  for (const record of decision.override_gate) debate.note("override_gate", record);
  for (const settlement of decision.settlements) debate.note("settlement", settlement);
  const { adopt_decision, adopt_reason, ev_score, ev_threshold, ev_components } = decision.meta;
  debate.note("adoption", { adopt_decision, adopt_reason, ev_score, ev_threshold, ev_components });
  if (decision.moderator) debate.note("moderator", decision.moderator);
}
