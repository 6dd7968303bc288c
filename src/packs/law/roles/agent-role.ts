import { defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import { agentChecks } from "../rules/checks/agent-checks.ts";
import { findAll, mendAll } from "../rules/checks/check.ts";
import type { AgentInput } from "../rules/role-inputs.ts";
import { type Agent, type AgentOutput, AgentOutputSchema } from "../schemas/agent-output.ts";
import { buildBroughtBlock, buildCasePrompt } from "./case-blocks.ts";

/** Who each agent is told to be. */
export const personas: Record<Agent, string> = { NLA: prompts["nla.md"], ALA: prompts["ala.md"] };

/** An agent: answers in round 1, then revises its own answer in the light of the critiques on it (law spec §4). */
export function createAgent(agent: Agent, expert: (input: AgentInput) => AgentOutput): Role<AgentInput, AgentOutput> {
  return defineRole<AgentInput, AgentOutput>({
    name: agent.toLowerCase(),
    reply: AgentOutputSchema,
    prompt: ({ file, round, previous, critiques }) =>
      previous
        ? buildCasePrompt(
            file,
            [personas[agent], writeSpeakerLine(agent, round), prompts["revision.md"]],
            [
              { label: "JAWABAN ANDA SEBELUMNYA", json: previous },
              { label: "KRITIK ATAS JAWABAN ANDA", json: critiques },
              ...buildBroughtBlock(file),
            ],
          )
        : buildCasePrompt(file, [personas[agent], writeSpeakerLine(agent, round), prompts["answer.md"]], []),
    check: (reply, input) => findAll(agentChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(agentChecks, reply, problems, input),
    expert,
  });
}

/** The values that identify this turn in the reply. */
export function writeSpeakerLine(agent: Agent, round: number): string {
  return `\`agent\`: "${agent}", \`round\`: ${round}.`;
}
