import type { LawDecision } from "../schemas/decision.ts";
import { labelsOf } from "./labels.ts";

/** What a law decision says: the position, the route, and whether a person must look at it. */
export function headline(decision: LawDecision): Record<string, string> {
  const labels = labelsOf(decision);
  return {
    [labels.position]: `${decision.position} (${labels.positions[decision.position]})`,
    [labels.route]: labels.routes[decision.route.label],
    [labels.escalation]: decision.needs_human_review ? labels.needed : labels.none,
  };
}
