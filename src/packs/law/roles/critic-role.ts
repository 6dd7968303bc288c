import { defineRole, type Role } from "../../../engine/role.ts";
import { findAll, mendAll } from "../checks/check.ts";
import { critiqueChecks } from "../checks/critique-checks.ts";
import { criticise } from "../experts/criticise.ts";
import { type Agent, otherAgent } from "../messages/agent-output.ts";
import { type CritiqueMessage, CritiqueMessageSchema } from "../messages/critique-message.ts";
import { prompts } from "../prompts.ts";
import { speakerLine } from "./agent-role.ts";
import { casePrompt, withCitedText } from "./case-blocks.ts";
import type { CriticInput } from "./critic-input.ts";

export type CriticRole = Role<CriticInput, CritiqueMessage>;

/** An agent in its critic's seat: it sees the other's claims with the text of their evidence (law spec §3). */
function criticRole(agent: Agent, name: string, persona: string): CriticRole {
  return defineRole<CriticInput, CritiqueMessage>({
    name,
    reply: CritiqueMessageSchema,
    prompt: ({ file, round, own, target, earlier }) => {
      const stage = round === 1 ? prompts["critic-first.md"] : prompts["critic-again.md"];
      const seat = `${speakerLine(agent, round)} \`target\`: "${otherAgent(agent)}".`;
      return casePrompt(
        file,
        [persona, prompts["critic.md"], stage, seat],
        [
          { label: `JAWABAN ${target.agent} YANG ANDA KRITIK`, json: withCitedText(file, target) },
          { label: "JAWABAN PIHAK ANDA", json: own },
          ...(earlier.length > 0 ? [{ label: "KRITIK ANDA SEBELUMNYA DAN TANGGAPANNYA", json: earlier }] : []),
        ],
      );
    },
    check: (reply, input) => findAll(critiqueChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(critiqueChecks, reply, problems, input),
    expert: criticise,
  });
}

export const nlaCritic = criticRole("NLA", "nla_critic", prompts["nla.md"]);
export const alaCritic = criticRole("ALA", "ala_critic", prompts["ala.md"]);
