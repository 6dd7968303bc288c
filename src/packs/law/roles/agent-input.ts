import type { CaseFile } from "../case-file.ts";
import type { RaisedCritique } from "../convergence/critique-status.ts";
import type { Agent, AgentOutput } from "../messages/agent-output.ts";

/** What an agent is given: the case and, from round 2 on, its own previous answer and the critiques on it (law spec §4). */
export type AgentInput = {
  file: CaseFile;
  agent: Agent;
  round: number;
  previous: AgentOutput | null;
  critiques: RaisedCritique[];
};
