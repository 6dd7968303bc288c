import type { CaseFile } from "../case-file.ts";
import type { RaisedCritique } from "../convergence/critique-status.ts";
import type { Agent, AgentOutput, Response } from "../messages/agent-output.ts";

/** A critic's own earlier critique and how the other agent answered it. */
export type AnsweredCritique = { critique: RaisedCritique; response: Response | null };

/** What a critic is given: the other's answer, with the evidence it cites in the case file, its own side's answer, and its earlier critiques. */
export type CriticInput = {
  file: CaseFile;
  agent: Agent;
  round: number;
  own: AgentOutput;
  target: AgentOutput;
  earlier: AnsweredCritique[];
};
