import { defineRole, type Role } from "../../../engine/role.ts";
import type { CaseFile } from "../../../knowledge/law/index.ts";
import { type Language, readPrompt } from "../prompts/read-prompts.ts";
import { findAll, mendAll } from "../rules/checks/check.ts";
import { soloChecks } from "../rules/checks/solo-checks.ts";
import type { Lens, SoloInput } from "../rules/role-inputs.ts";
import { type SoloAnswer, SoloAnswerSchema } from "../schemas/solo-answer.ts";
import { readPersona } from "./agent-role.ts";
import { buildCasePrompt } from "./case-blocks.ts";

const views: Record<Lens, (language: Language) => string[]> = {
  neutral: () => [],
  national: (language) => [readPersona(language, "NLA")],
  adat: (language) => [readPersona(language, "ALA")],
};

/** One agent alone, for the control arms: same evidence, same checks on claims, no debate. */
export function createSolo(
  name: string,
  lens: Lens,
  expert: (file: CaseFile, lens: Lens) => SoloAnswer,
): Role<SoloInput, SoloAnswer> {
  return defineRole<SoloInput, SoloAnswer>({
    name,
    reply: SoloAnswerSchema,
    prompt: ({ file }) => {
      const { language } = file.retrieval;
      return buildCasePrompt(file, {
        instructions: ["common"],
        tasks: [...views[lens](language), readPrompt(language, "single")],
      });
    },
    check: (reply, input) => findAll(soloChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(soloChecks, reply, problems, input),
    expert: ({ file }) => expert(file, lens),
  });
}
