import { defineRole, type Role } from "../../../engine/role.ts";
import { type Language, readPrompt } from "../prompts/read-prompts.ts";
import { agentChecks } from "../rules/checks/agent-checks.ts";
import { findAll, mendAll } from "../rules/checks/check.ts";
import type { AgentInput } from "../rules/role-inputs.ts";
import { type Agent, type AgentOutput, AgentOutputSchema } from "../schemas/agent-output.ts";
import { buildCasePrompt } from "./case-blocks.ts";
import { tellDebate } from "./debate-blocks.ts";
import { labelsOf } from "./labels.ts";

/** Who each agent is told to be. */
export function readPersona(language: Language, agent: Agent): string {
  return readPrompt(language, agent === "NLA" ? "nla" : "ala");
}

/** An agent: answers in round 1, then revises its own answer in the light of the critiques on it (law spec §4). */
export function createAgent(agent: Agent, expert: (input: AgentInput) => AgentOutput): Role<AgentInput, AgentOutput> {
  return defineRole<AgentInput, AgentOutput>({
    name: agent.toLowerCase(),
    reply: AgentOutputSchema,
    prompt: ({ file, round, previous, critiques, said = [] }) => {
      const { language } = file.retrieval;
      const who = `${readPersona(language, agent)} ${writeSpeakerLine(agent, round)}`;
      if (!previous) return buildCasePrompt(file, { tasks: [who, readPrompt(language, "answer")] });
      return buildCasePrompt(file, {
        tasks: [who, readPrompt(language, "revision")],
        said: tellDebate(file, agent, said),
        material: [{ label: labelsOf(language).toAnswer, json: critiques.map(({ id }) => id) }],
      });
    },
    check: (reply, input) => findAll(agentChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(agentChecks, reply, problems, input),
    expert,
  });
}

/** The values that identify this turn in the reply. */
export function writeSpeakerLine(agent: Agent, round: number): string {
  return `\`agent\`: "${agent}", \`round\`: ${round}.`;
}
