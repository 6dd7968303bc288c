import type { AnyRole } from "../../../engine/role.ts";
import type { CaseFile } from "../../../knowledge/law/index.ts";
import type { AgentInput, CriticInput, Lens, SupervisorInput } from "../rules/role-inputs.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import type { CritiqueMessage } from "../schemas/critique-message.ts";
import type { SoloAnswer } from "../schemas/solo-answer.ts";
import type { Supervision } from "../schemas/supervision.ts";
import { createAgent } from "./agent-role.ts";
import { createCritic } from "./critic-role.ts";
import { createEmbedder } from "./embedder-role.ts";
import { createSolo } from "./solo-role.ts";
import { createSupervisor } from "./supervisor-role.ts";

/** The programs that play the roles offline. */
export type LawExperts = {
  /** Opens in round 1, revises its own previous answer afterwards. */
  answer(input: AgentInput): AgentOutput;
  criticise(input: CriticInput): CritiqueMessage;
  supervise(input: SupervisorInput): Supervision;
  answerAlone(file: CaseFile, lens: Lens): SoloAnswer;
  embedText(text: string): number[];
};

/** Every role of the pack, with its expert. */
export type LawRoles = ReturnType<typeof createRoles>;

/** Builds the roles with the programs that play them offline. */
export function createRoles(experts: LawExperts) {
  return {
    nla: createAgent("NLA", experts.answer),
    ala: createAgent("ALA", experts.answer),
    nlaCritic: createCritic("NLA", experts.criticise),
    alaCritic: createCritic("ALA", experts.criticise),
    supervisor: createSupervisor(experts.supervise),
    solo: createSolo("single", "neutral", experts.answerAlone),
    voters: [
      createSolo("voter_national", "national", experts.answerAlone),
      createSolo("voter_adat", "adat", experts.answerAlone),
      createSolo("voter_neutral", "neutral", experts.answerAlone),
    ],
    embedder: createEmbedder(experts.embedText),
  };
}

/** Which of the roles a config needs. */
export type RoleNeeds = {
  protocol: "debate" | "single" | "vote" | "self_consistency";
  critique: boolean;
  embedder: boolean;
};

/** The roles that a cast may name. */
export function selectRoles(roles: LawRoles, { protocol, critique, embedder }: RoleNeeds): AnyRole[] {
  const embedders = embedder ? [roles.embedder] : [];
  if (protocol === "vote") return [...roles.voters, ...embedders];
  if (protocol !== "debate") return [roles.solo, ...embedders];
  const critics = critique ? [roles.nlaCritic, roles.alaCritic] : [];
  return [roles.nla, roles.ala, ...critics, roles.supervisor, ...embedders];
}
