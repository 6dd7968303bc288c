import type { CaseFile } from "../case-file.ts";
import type { DebateSummary } from "../convergence/debate-summary.ts";
import type { AgentOutput } from "../messages/agent-output.ts";

/** What the supervisor is given (law spec §5): the final revisions, the summary and the evidence, never the raw transcript. */
export type SupervisorInput = { file: CaseFile; nla: AgentOutput; ala: AgentOutput; summary: DebateSummary };
