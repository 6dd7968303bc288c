import type { LawDecision } from "../schemas/decision.ts";
import { labelsOf } from "./labels.ts";

/** What a law decision says: the position, the route, and whether a person must look at it. */
export function headline(decision: LawDecision): Record<string, string> {
  const { positions, needed, none } = labelsOf(decision);
  return {
    position: `${decision.position} (${positions[decision.position]})`,
    route: decision.route.label,
    "human review": decision.needs_human_review ? needed : none,
  };
}
