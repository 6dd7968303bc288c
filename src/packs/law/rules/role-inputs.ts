import type { CaseFile } from "../../../knowledge/law/index.ts";
import type { Agent, AgentOutput, Response } from "../schemas/agent-output.ts";
import type { Round } from "../schemas/round.ts";
import type { RaisedCritique } from "./critique-status.ts";
import type { DebateSummary } from "./debate-summary.ts";

/** What an agent is given: the case and, from round 2 on, its own previous answer and the critiques on it (law spec §4). */
export type AgentInput = {
  file: CaseFile;
  agent: Agent;
  round: number;
  previous: AgentOutput | null;
  critiques: RaisedCritique[];
  /** The rounds before, as both sides have heard them. */
  said?: Round[];
};

/** A critic's own earlier critique and how the other agent answered it. */
export type AnsweredCritique = { critique: RaisedCritique; response: Response | null };

/** What a critic is given: the other's answer, its own side's answer, and its earlier critiques with their answers (law spec §3). */
export type CriticInput = {
  file: CaseFile;
  agent: Agent;
  round: number;
  own: AgentOutput;
  target: AgentOutput;
  /** Everything that was said so far, this round's answers included. */
  said?: Round[];
  earlier: AnsweredCritique[];
  /** True when nobody answers any more: verdicts count, new critiques do not. */
  final?: boolean;
};

/** What the supervisor is given (law spec §5): the final revisions, the summary and the evidence, never the raw transcript. */
export type SupervisorInput = { file: CaseFile; nla: AgentOutput; ala: AgentOutput; summary: DebateSummary };

/** What an agent without a debate is given. */
export type SoloInput = { file: CaseFile };

/** From which side an agent without a debate looks at a case. */
export type Lens = "neutral" | "national" | "adat";

/** The texts whose vectors are asked for. */
export type EmbedderInput = { texts: string[] };
