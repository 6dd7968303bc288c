import { defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import { findAll, mendAll } from "../rules/checks/check.ts";
import { critiqueChecks } from "../rules/checks/critique-checks.ts";
import type { CriticInput } from "../rules/role-inputs.ts";
import { type Agent, opponentOf } from "../schemas/agent-output.ts";
import { type CritiqueMessage, CritiqueMessageSchema } from "../schemas/critique-message.ts";
import { personas, writeSpeakerLine } from "./agent-role.ts";
import { buildCasePrompt, addCitedText } from "./case-blocks.ts";

/** An agent as the critic of the other: it sees the other's claims with the text of their evidence (law spec §3). */
export function createCritic(
  agent: Agent,
  expert: (input: CriticInput) => CritiqueMessage,
): Role<CriticInput, CritiqueMessage> {
  return defineRole<CriticInput, CritiqueMessage>({
    name: `${agent.toLowerCase()}_critic`,
    reply: CritiqueMessageSchema,
    prompt: ({ file, round, own, target, earlier, final = false }) => {
      const again = [prompts["critic-again.md"], ...(final ? [prompts["critic-last.md"]] : [])];
      const stage = round === 1 ? [prompts["critic-first.md"]] : again;
      const identity = `${writeSpeakerLine(agent, round)} \`target\`: "${opponentOf(agent)}".`;
      return buildCasePrompt(
        file,
        [personas[agent], identity, prompts["critic.md"], ...stage, prompts["critic-example.md"]],
        [
          { label: `JAWABAN ${target.agent} YANG ANDA KRITIK`, json: addCitedText(file, target) },
          { label: "JAWABAN PIHAK ANDA", json: own },
          ...(earlier.length > 0 ? [{ label: "KRITIK ANDA SEBELUMNYA DAN TANGGAPANNYA", json: earlier }] : []),
        ],
      );
    },
    check: (reply, input) => findAll(critiqueChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(critiqueChecks, reply, problems, input),
    expert,
  });
}
