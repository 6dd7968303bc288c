import type { DebateSummary, Round } from "../schemas/decision.ts";
import type { Material } from "../schemas/material.ts";
import type { Agent, AgentOutput, Response } from "../schemas/messages.ts";
import type { RaisedCritique } from "./critique-status.ts";

/** What every role is given: the question, and the material as this role may see it. */
export type CaseInput = { query: string; material: Material };

/** What an agent is given: from round 2 on its own previous answer and the critiques on it (law spec §4). */
export type AgentInput = CaseInput & {
  agent: Agent;
  round: number;
  previous: AgentOutput | null;
  critiques: RaisedCritique[];
  /** The rounds before, as both sides have heard them. */
  said: Round[];
};

/** A critic's own earlier critique and how the other agent answered it. */
export type AnsweredCritique = { critique: RaisedCritique; response: Response | null };

/** What a critic is given: the other's answer, its own side's answer, and its earlier critiques with their answers (law spec §3). */
export type CriticInput = CaseInput & {
  agent: Agent;
  round: number;
  own: AgentOutput;
  target: AgentOutput;
  said: Round[];
  earlier: AnsweredCritique[];
  /** Claims of the target that are new or reworded since its last answer. */
  changed: string[];
};

/** What the supervisor is given (law spec §5): the final revisions, the summary and the evidence, never the raw transcript. */
export type SupervisorInput = CaseInput & { nla: AgentOutput; ala: AgentOutput; summary: DebateSummary };

/** From which side an agent without a debate looks at a case. */
export type Lens = "neutral" | "national" | "adat";
