import { defineRole } from "../../../engine/role.ts";
import { findAll, mendAll } from "../checks/check.ts";
import { supervisorChecks } from "../checks/supervisor-checks.ts";
import { supervise } from "../experts/supervise.ts";
import { type Supervision, SupervisionSchema } from "../messages/supervision.ts";
import { prompts } from "../prompts.ts";
import { casePrompt } from "./case-blocks.ts";
import type { SupervisorInput } from "./supervisor-input.ts";

/** The supervisor: speaks after the debate, from the final revisions, the summary and the evidence (law spec §5). */
export const supervisor = defineRole<SupervisorInput, Supervision>({
  name: "sup",
  reply: SupervisionSchema,
  prompt: ({ file, nla, ala, summary }) =>
    casePrompt(
      file,
      [prompts["supervisor.md"]],
      [
        { label: "REVISI AKHIR NLA", json: nla },
        { label: "REVISI AKHIR ALA", json: ala },
        { label: "RINGKASAN DEBAT", json: summary },
      ],
    ),
  check: (reply, input) => findAll(supervisorChecks, reply, input),
  salvage: (reply, problems, input) => mendAll(supervisorChecks, reply, problems, input),
  expert: supervise,
});
