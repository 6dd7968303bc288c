import { defineRole, type Role } from "../../../engine/role.ts";
import type { CaseFile } from "../case-file.ts";
import { findAll, mendAll } from "../checks/check.ts";
import { soloChecks } from "../checks/solo-checks.ts";
import { answerAlone } from "../experts/answer-alone.ts";
import { type SoloAnswer, SoloAnswerSchema } from "../messages/solo-answer.ts";
import { prompts } from "../prompts.ts";
import { casePrompt } from "./case-blocks.ts";

/** From which side a lone agent looks at a case. */
export type Lens = "neutral" | "national" | "adat";
export type SoloInput = { file: CaseFile };
export type SoloRole = Role<SoloInput, SoloAnswer>;

const personas: Record<Lens, string[]> = { neutral: [], national: [prompts["nla.md"]], adat: [prompts["ala.md"]] };

/** One agent alone, for the control arms: same evidence, same checks on claims, no debate. */
export function soloRole(name: string, lens: Lens): SoloRole {
  return defineRole<SoloInput, SoloAnswer>({
    name,
    reply: SoloAnswerSchema,
    prompt: ({ file }) => casePrompt(file, [...personas[lens], prompts["single.md"]], []),
    check: (reply, input) => findAll(soloChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(soloChecks, reply, problems, input),
    expert: ({ file }) => answerAlone(file, lens),
  });
}

export const solo = soloRole("single", "neutral");
export const voters = [
  soloRole("voter_national", "national"),
  soloRole("voter_adat", "adat"),
  soloRole("voter_neutral", "neutral"),
];
