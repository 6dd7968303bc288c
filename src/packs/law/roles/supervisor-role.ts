import { defineRole, type Role } from "../../../engine/role.ts";
import { readPrompt } from "../prompts/read-prompts.ts";
import { findAll, mendAll } from "../rules/checks/check.ts";
import { supervisorChecks } from "../rules/checks/supervisor-checks.ts";
import type { DebateSummary, SummaryClaim } from "../rules/debate-summary.ts";
import type { SupervisorInput } from "../rules/role-inputs.ts";
import { type Supervision, SupervisionSchema } from "../schemas/supervision.ts";
import { buildCasePrompt } from "./case-blocks.ts";
import { labelsOf } from "./labels.ts";

/** The summary for whoever has the final revisions beside it: claims by name, and each clash once, with its critique. */
function showSummary(summary: DebateSummary) {
  const name = ({ claim, why }: SummaryClaim) => ({ claim, why });
  return {
    ...summary,
    query: undefined,
    route: undefined,
    conflicts: summary.conflicts.filter(({ status }) => status === "derived"),
    agreed_claims: summary.agreed_claims.map(name),
    disputed_claims: summary.disputed_claims.map(name),
  };
}

/** The supervisor: speaks after the debate, from the final revisions, the summary and the evidence (law spec §5). */
export function createSupervisor(expert: (input: SupervisorInput) => Supervision): Role<SupervisorInput, Supervision> {
  return defineRole<SupervisorInput, Supervision>({
    name: "sup",
    reply: SupervisionSchema,
    prompt: ({ file, nla, ala, summary }) => {
      const { language } = file.retrieval;
      const labels = labelsOf(language);
      return buildCasePrompt(file, {
        tasks: [readPrompt(language, "supervisor")],
        material: [
          { label: labels.final("NLA"), json: nla },
          { label: labels.final("ALA"), json: ala },
          { label: labels.summary, json: showSummary(summary) },
        ],
      });
    },
    check: (reply, input) => findAll(supervisorChecks, reply, input),
    salvage: (reply, problems, input) => mendAll(supervisorChecks, reply, problems, input),
    expert,
  });
}
