import type { Block } from "../../../contract/prompt.ts";
import { defineRole, type Role } from "../../../engine/role.ts";
import { type PromptName, prompts } from "../prompts/read-prompts.ts";
import { idPrefixes, type ReasonerName, ReasonerReplySchema, type SalvagedReply } from "../schemas/hypothesis.ts";
import { buildIncidentBlocks } from "./incident-blocks.ts";
import { checkHypotheses } from "./check-hypotheses.ts";
import type { ReasonerInput, RootCauseExperts } from "./role-inputs.ts";
import { salvageHypotheses } from "./salvage-hypotheses.ts";

export type ReasonerRole = Role<ReasonerInput, SalvagedReply>;

const personas: Record<ReasonerName, PromptName> = {
  log_focused: "log-focused.md",
  kg_focused: "kg-focused.md",
  hybrid: "hybrid.md",
};

/** A reasoner: proposes in round 1, then refines its own hypotheses with the incident before it (root-cause spec §4.2). */
export function createReasoner<N extends ReasonerName>(name: N, expert: RootCauseExperts[N]): ReasonerRole {
  return defineRole<ReasonerInput, SalvagedReply>({
    name,
    reply: ReasonerReplySchema,
    prompt: (input) => ({
      instructions: prompts["common.md"],
      blocks: buildIncidentBlocks(input.incident, name),
      own: [...listMaterial(input), { label: "YOUR TASK", text: writeTask(input) }],
    }),
    check: checkHypotheses,
    salvage: salvageHypotheses,
    expert,
  });
}

function listMaterial({ round, own, others }: ReasonerInput): Block[] {
  if (round === 1) return [];
  return [
    { label: "YOUR HYPOTHESES AND WHAT THE JUDGE SAID", json: own },
    { label: "THE OTHERS' BEST HYPOTHESES", json: others },
  ];
}

function writeTask({ round, reasoner }: ReasonerInput): string {
  const task = prompts[round === 1 ? "propose.md" : "refine.md"];
  const ids = `Your ids are ${idPrefixes[reasoner]}_1, ${idPrefixes[reasoner]}_2 and so on. This is round ${round}.`;
  return [prompts[personas[reasoner]], task, ids].join("\n\n");
}
