import { defineRole, type Role } from "../../../engine/role.ts";
import { readPrompt } from "../prompts/read-prompts.ts";
import { findAll, mendAll } from "../rules/checks/check.ts";
import { critiqueChecks } from "../rules/checks/critique-checks.ts";
import type { CriticInput } from "../rules/role-inputs.ts";
import { type Agent, opponentOf } from "../schemas/agent-output.ts";
import { type CritiqueMessage, CritiqueMessageSchema } from "../schemas/critique-message.ts";
import { readPersona, writeSpeakerLine } from "./agent-role.ts";
import { buildCasePrompt } from "./case-blocks.ts";
import { tellDebate } from "./debate-blocks.ts";
import { labelsOf } from "./labels.ts";

/** An agent as the critic of the other: it sees the other's claims with the text of their evidence (law spec §3). */
export function createCritic(
  agent: Agent,
  expert: (input: CriticInput) => CritiqueMessage,
): Role<CriticInput, CritiqueMessage> {
  return defineRole<CriticInput, CritiqueMessage>({
    name: `${agent.toLowerCase()}_critic`,
    reply: CritiqueMessageSchema,
    prompt: ({ file, round, earlier, said = [], final = false }) => {
      const { language } = file.retrieval;
      const [labels, read] = [labelsOf(language), readPrompt.bind(null, language)];
      const again = [read("critic-again"), ...(final ? [read("critic-last")] : [])];
      const stage = round === 1 ? [read("critic-first")] : again;
      const who = `${readPersona(language, agent)} ${writeSpeakerLine(agent, round)} \`target\`: "${opponentOf(agent)}".`;
      return buildCasePrompt(file, {
        tasks: [who, read("critic"), ...stage, read("critic-example")],
        said: tellDebate(file, agent, said),
        material:
          earlier.length > 0 ? [{ label: labels.toJudge, json: earlier.map(({ critique }) => critique.id) }] : [],
      });
    },
    check: (reply, input) => findAll(critiqueChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(critiqueChecks, reply, problems, input),
    expert,
  });
}
