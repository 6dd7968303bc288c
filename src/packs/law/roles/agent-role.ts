import { defineRole, type Role } from "../../../engine/role.ts";
import { agentChecks } from "../checks/agent-checks.ts";
import { findAll, mendAll } from "../checks/check.ts";
import { reviseAnswer } from "../experts/revise-answer.ts";
import { openAnswer } from "../experts/open-answer.ts";
import { type Agent, type AgentOutput, AgentOutputSchema } from "../messages/agent-output.ts";
import { prompts } from "../prompts.ts";
import type { AgentInput } from "./agent-input.ts";
import { casePrompt } from "./case-blocks.ts";

export type AgentRole = Role<AgentInput, AgentOutput>;

/** An agent: answers in round 1, then revises its own answer in the light of the critiques on it (law spec §4). */
function agentRole(agent: Agent, name: string, persona: string): AgentRole {
  return defineRole<AgentInput, AgentOutput>({
    name,
    reply: AgentOutputSchema,
    prompt: ({ file, round, previous, critiques }) =>
      previous
        ? casePrompt(
            file,
            [persona, prompts["revision.md"], speakerLine(agent, round)],
            [
              { label: "JAWABAN ANDA SEBELUMNYA", json: previous },
              { label: "KRITIK ATAS JAWABAN ANDA", json: critiques },
            ],
          )
        : casePrompt(file, [persona, prompts["answer.md"], speakerLine(agent, round)], []),
    check: (reply, input) => findAll(agentChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(agentChecks, reply, problems, input),
    expert: (input) => (input.previous ? reviseAnswer(input, input.previous) : openAnswer(input)),
  });
}

/** The values that identify this turn in the reply. */
export function speakerLine(agent: Agent, round: number): string {
  return `\`agent\`: "${agent}", \`round\`: ${round}.`;
}

export const nla = agentRole("NLA", "nla", prompts["nla.md"]);
export const ala = agentRole("ALA", "ala", prompts["ala.md"]);
