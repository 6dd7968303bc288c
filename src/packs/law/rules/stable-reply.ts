import { type CaseFile, resolveIds } from "../../../knowledge/law/index.ts";
import { listRaised } from "./critique-status.ts";
import { isEchoChamber } from "./echo-chamber.ts";
import { makeIdsDistinct } from "./distinct-ids.ts";
import type { CriticInput } from "./role-inputs.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import type { CritiqueMessage } from "../schemas/critique-message.ts";
import type { Round } from "../schemas/round.ts";

/** An answer with readable aliases turned into the stable ids of their items. */
export function stabiliseOutput(file: CaseFile, output: AgentOutput): AgentOutput {
  return {
    ...output,
    claims: output.claims.map((claim) => ({ ...claim, evidence: resolveIds(file, claim.evidence) })),
    responses: output.responses.map((response) => ({ ...response, evidence: resolveIds(file, response.evidence) })),
  };
}

/** A critique whose ids its critic has not used before in this debate, marked as an echo chamber where it has too few. */
export function stabiliseCritique(
  file: CaseFile,
  message: CritiqueMessage,
  input: CriticInput,
  before: Round[],
): CritiqueMessage {
  const taken = listRaised(before).filter(({ agent }) => agent === message.agent);
  const critiques = makeIdsDistinct(
    message.critiques.map((one) => ({ ...one, evidence: resolveIds(file, one.evidence) })),
    "K",
    taken.map(({ id }) => id),
  );
  return { ...message, critiques, ...(isEchoChamber(critiques, input) ? { echo_chamber: true } : {}) };
}
