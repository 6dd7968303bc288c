import { defineRole, type Role } from "../../../engine/role.ts";
import { readPrompt } from "../prompts/read-prompts.ts";
import { findAll, mendAll } from "../rules/checks/check.ts";
import { supervisorChecks } from "../rules/checks/supervisor-checks.ts";
import { listCited } from "../rules/heard.ts";
import type { SupervisorInput } from "../rules/role-inputs.ts";
import { type Supervision, SupervisionSchema } from "../schemas/supervision.ts";
import { buildCasePrompt } from "./case-blocks.ts";
import { labelsOf } from "./labels.ts";
import { showFinal } from "./show-output.ts";
import { showSummary } from "./show-summary.ts";

/** The supervisor: speaks after the debate, from the final revisions, the summary and the text of what these cite (law spec §5). */
export function createSupervisor(expert: (input: SupervisorInput) => Supervision): Role<SupervisorInput, Supervision> {
  return defineRole<SupervisorInput, Supervision>({
    name: "sup",
    reply: SupervisionSchema,
    prompt: ({ file, nla, ala, summary }) => {
      const { language } = file.retrieval;
      const labels = labelsOf(language);
      const cited = [
        ...listCited(nla),
        ...listCited(ala),
        ...summary.critiques.flatMap((one) => one.critique.evidence),
      ];
      return buildCasePrompt(file, {
        cited,
        tasks: [readPrompt(language, "supervisor")],
        material: [
          { label: labels.final("NLA"), json: showFinal(nla) },
          { label: labels.final("ALA"), json: showFinal(ala) },
          { label: labels.summary, json: showSummary(summary) },
        ],
      });
    },
    check: (reply, input) => findAll(supervisorChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(supervisorChecks, reply, problems, input),
    expert,
  });
}
