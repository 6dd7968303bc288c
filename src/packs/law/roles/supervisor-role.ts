import { defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import { findAll, mendAll } from "../rules/checks/check.ts";
import { supervisorChecks } from "../rules/checks/supervisor-checks.ts";
import type { SupervisorInput } from "../rules/role-inputs.ts";
import { type Supervision, SupervisionSchema } from "../schemas/supervision.ts";
import { buildCasePrompt } from "./case-blocks.ts";

/** The supervisor: speaks after the debate, from the final revisions, the summary and the evidence (law spec §5). */
export function createSupervisor(expert: (input: SupervisorInput) => Supervision): Role<SupervisorInput, Supervision> {
  return defineRole<SupervisorInput, Supervision>({
    name: "sup",
    reply: SupervisionSchema,
    prompt: ({ file, nla, ala, summary }) =>
      buildCasePrompt(
        file,
        [prompts["supervisor.md"]],
        [
          { label: "REVISI AKHIR NLA", json: nla },
          { label: "REVISI AKHIR ALA", json: ala },
          { label: "RINGKASAN DEBAT", json: { ...summary, route: undefined, query: undefined } },
        ],
      ),
    check: (reply, input) => findAll(supervisorChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(supervisorChecks, reply, problems, input),
    expert,
  });
}
