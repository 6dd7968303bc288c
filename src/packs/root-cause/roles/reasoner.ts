import type { Block } from "../../../contract/prompt.ts";
import { defineRole, type Role } from "../../../engine/role.ts";
import { proposeHybrid } from "../experts/hybrid-reasoner.ts";
import { proposeFromHistory } from "../experts/kg-reasoner.ts";
import { proposeFromLog } from "../experts/log-reasoner.ts";
import { refineHypotheses } from "../experts/refine.ts";
import { idPrefixes, type ReasonerName, ReasonerReplySchema } from "../hypothesis.ts";
import { type PromptName, prompts } from "../prompts.ts";
import { checkHypotheses, type SalvagedReply } from "./check-hypotheses.ts";
import { incidentBlocks } from "./incident-blocks.ts";
import type { ReasonerInput } from "./reasoner-input.ts";
import { salvageHypotheses } from "./salvage-hypotheses.ts";

export type ReasonerRole = Role<ReasonerInput, SalvagedReply>;
type Propose = (input: ReasonerInput) => SalvagedReply | null;

/** A reasoner: proposes in round 1, then refines its own hypotheses with the incident data before it (root-cause §4). */
function reasonerRole(name: ReasonerName, persona: PromptName, propose: Propose): ReasonerRole {
  return defineRole<ReasonerInput, SalvagedReply>({
    name,
    reply: ReasonerReplySchema,
    prompt: (input) => ({
      instructions: prompts["common.md"],
      blocks: incidentBlocks(input.incident, name),
      own: [...materialOf(input), { label: "YOUR TASK", text: taskOf(input, persona) }],
    }),
    check: checkHypotheses,
    salvage: salvageHypotheses,
    expert: (input) => (input.round === 1 ? propose(input) : refineHypotheses(input, propose)),
  });
}

export const reasoners: Record<ReasonerName, ReasonerRole> = {
  log_focused: reasonerRole("log_focused", "log-focused.md", proposeFromLog),
  kg_focused: reasonerRole("kg_focused", "kg-focused.md", proposeFromHistory),
  hybrid: reasonerRole("hybrid", "hybrid.md", proposeHybrid),
};

function materialOf({ round, own, others }: ReasonerInput): Block[] {
  if (round === 1) return [];
  return [
    { label: "YOUR HYPOTHESES AND WHAT THE JUDGE SAID", json: own },
    { label: "THE OTHERS' BEST HYPOTHESES", json: others },
  ];
}

function taskOf({ round, reasoner }: ReasonerInput, persona: PromptName): string {
  const task = prompts[round === 1 ? "propose.md" : "refine.md"];
  const ids = `Your ids are ${idPrefixes[reasoner]}_1, ${idPrefixes[reasoner]}_2 and so on. This is round ${round}.`;
  return [prompts[persona], task, ids].join("\n\n");
}
