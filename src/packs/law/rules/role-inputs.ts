import type { DebateSummary, Round } from "../schemas/decision.ts";
import type { Material } from "../schemas/material.ts";
import type { Agent, AgentOutput, Response } from "../schemas/messages.ts";
import type { RaisedCritique } from "./critique-status.ts";

export type CaseInput = { query: string; material: Material };

/** An agent's input: from round 2 on with its previous answer and the critiques on it (law spec §4). */
export type AgentInput = CaseInput & {
  agent: Agent;
  round: number;
  previous: AgentOutput | null;
  critiques: RaisedCritique[];
  said: Round[];
};

export type AnsweredCritique = { critique: RaisedCritique; response: Response | null };

/** A critic's input: the other's answer, its own side's answer, and its earlier critiques with their replies (law spec §3). */
export type CriticInput = CaseInput & {
  agent: Agent;
  round: number;
  own: AgentOutput;
  target: AgentOutput;
  said: Round[];
  earlier: AnsweredCritique[];
  changed: string[];
};

/** The supervisor's input (law spec §5): final revisions, summary and evidence, never the raw transcript. */
export type SupervisorInput = CaseInput & { nla: AgentOutput; ala: AgentOutput; summary: DebateSummary };
