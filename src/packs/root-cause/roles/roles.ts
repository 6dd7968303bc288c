import type { AnyRole } from "../../../engine/role.ts";
import { type ReasonerName, reasonerNames } from "../schemas/hypothesis.ts";
import { createJudge, type JudgeRole } from "./judge.ts";
import { createReasoner, type ReasonerRole } from "./reasoner.ts";
import type { RootCauseExperts } from "./role-inputs.ts";

/** The three reasoners and the judge. */
export type RootCauseRoles = Record<ReasonerName, ReasonerRole> & { judge: JudgeRole };

/** The roles with these programs to play them offline. */
export function createRoles(experts: RootCauseExperts): RootCauseRoles {
  return {
    log_focused: createReasoner("log_focused", experts.log_focused),
    kg_focused: createReasoner("kg_focused", experts.kg_focused),
    hybrid: createReasoner("hybrid", experts.hybrid),
    judge: createJudge(experts.judge),
  };
}

/** The reasoners that are asked: the history reasoner only when there is history. */
export function listReasoners(hasKnowledge: boolean): ReasonerName[] {
  return reasonerNames.filter((name) => name !== "kg_focused" || hasKnowledge);
}

type RoleChoice = { protocol: string; reasoner: ReasonerName; knowledge: { enabled: boolean } };

/** Every role that a cast may name under this config. */
export function listRoles(roles: RootCauseRoles, { protocol, reasoner, knowledge }: RoleChoice): AnyRole[] {
  if (protocol === "single" || protocol === "self_consistency") return [roles[reasoner]];
  const speakers = listReasoners(knowledge.enabled).map((name) => roles[name]);
  return protocol === "vote" ? speakers : [...speakers, roles.judge];
}
