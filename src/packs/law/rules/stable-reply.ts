import { type CaseFile, resolveIds } from "../../../knowledge/law/index.ts";
import { listRaised } from "./critique-status.ts";
import { makeIdsDistinct } from "./distinct-ids.ts";
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

/** A critique whose ids its critic has not used before in this debate. */
export function stabiliseCritique(message: CritiqueMessage, before: Round[]): CritiqueMessage {
  const taken = listRaised(before).filter(({ agent }) => agent === message.agent);
  return {
    ...message,
    critiques: makeIdsDistinct(
      message.critiques,
      "K",
      taken.map(({ id }) => id),
    ),
  };
}
