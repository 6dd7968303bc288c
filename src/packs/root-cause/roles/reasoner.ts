import type { Block } from "../../../contract/prompt.ts";
import { defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import { idPrefixes, type ReasonerName, ReasonerReplySchema, type SalvagedReply } from "../schemas/hypothesis.ts";
import type { Reviewed } from "../rules/round.ts";
import { buildHistoryBlocks, buildLogBlocks } from "./incident-blocks.ts";
import { buildRoundBlocks, tellRemarks } from "./round-blocks.ts";
import { checkHypotheses } from "./check-hypotheses.ts";
import type { ReasonerInput, RootCauseExperts } from "./role-inputs.ts";
import { salvageHypotheses } from "./salvage-hypotheses.ts";

export type ReasonerRole = Role<ReasonerInput, SalvagedReply>;

const names: Record<ReasonerName, string> = {
  log_focused: "the log reasoner",
  kg_focused: "the history reasoner",
  hybrid: "the hybrid reasoner",
};

/** A reasoner: proposes in round 1, then refines its own hypotheses with the incident before it (root-cause spec §4.2). */
export function createReasoner<N extends ReasonerName>(name: N, expert: RootCauseExperts[N]): ReasonerRole {
  return defineRole<ReasonerInput, SalvagedReply>({
    name,
    reply: ReasonerReplySchema,
    prompt: (input) => ({
      instructions: prompts["common.md"],
      blocks: listBlocks(input),
      own: [...listReview(input), { label: "YOUR TASK", text: writeTask(input) }],
    }),
    check: checkHypotheses,
    salvage: salvageHypotheses,
    expert,
  });
}

/** What all see, then what the one who speaks sees; what has been said comes before history, which fewer see. */
function listBlocks({ reasoner, incident, told }: ReasonerInput): Block[] {
  const { errors, log } = buildLogBlocks(incident);
  if (reasoner === "kg_focused") return [errors, ...buildHistoryBlocks(incident, false)];
  const rounds = buildRoundBlocks(told, incident);
  return [errors, ...log, ...rounds, ...(reasoner === "hybrid" ? buildHistoryBlocks(incident, true) : [])];
}

/** Which of the hypotheses are whose; the history reasoner, who reads no log, is shown its own and the others' best whole. */
function listReview({ round, reasoner, own, others, told }: ReasonerInput): Block[] {
  if (round === 1) return [];
  if (reasoner === "kg_focused")
    return [
      { label: "YOUR HYPOTHESES AND WHAT THE JUDGE SAID", json: own.map(tellOwn) },
      { label: "THE OTHERS' BEST HYPOTHESES", json: others },
    ];
  const ids = (told.at(-1)?.evaluated ?? []).map(({ label, id, source }) => ({
    label,
    id,
    isOwn: source === reasoner,
  }));
  const listIds = (isOwn: boolean) =>
    Object.fromEntries(ids.filter((one) => one.isOwn === isOwn).map(({ label, id }) => [label, id]));
  return [{ label: "WHOSE HYPOTHESES", json: { yours: listIds(true), the_others: listIds(false) } }];
}

function tellOwn({ hypothesis, evaluation }: Reviewed) {
  return { hypothesis, ...(evaluation && { judge: tellRemarks(evaluation) }) };
}

function writeTask({ round, reasoner }: ReasonerInput): string {
  const prefix = idPrefixes[reasoner];
  const task = round === 1 ? "Propose" : "Refine";
  return `You are ${names[reasoner]}. This is round ${round}: ${task}. Your ids are ${prefix}_1, ${prefix}_2 and so on.`;
}
