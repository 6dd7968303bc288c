import type { Agent, AgentOutput, Claim } from "./agent-output.ts";
import type { CritiqueMessage } from "./critique-message.ts";

/** Two claims, one of each agent, that the rule engine says cannot both hold of the same case. */
export type ClaimContradiction = { nla_claim_id: string; ala_claim_id: string; by: string[]; statement: string };

/** Everything that was said in a round; the keys follow the artifacts' names (law spec §6). */
export type Round = {
  round: number;
  nla: AgentOutput;
  ala: AgentOutput;
  nla_on_ala?: CritiqueMessage | null;
  ala_on_nla?: CritiqueMessage | null;
  /** Critics who were asked twice in this round and said nothing: the other side's claims went unchecked. */
  silent?: Agent[];
  contradictions?: ClaimContradiction[];
};

/** What an agent said in a round. */
export function outputOf(round: Round, agent: Agent): AgentOutput {
  return agent === "NLA" ? round.nla : round.ala;
}

/** What an agent held against the other in a round, if it was asked. */
export function critiqueOf(round: Round, agent: Agent): CritiqueMessage | null {
  return (agent === "NLA" ? round.nla_on_ala : round.ala_on_nla) ?? null;
}

/** A claim by its id, if the agent still makes it. */
export function claimOf(output: AgentOutput, id: string | null): Claim | null {
  return output.claims.find((claim) => claim.id === id) ?? null;
}
