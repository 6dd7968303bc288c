import { type CaseFile, stableIds } from "../../../knowledge/law/index.ts";
import { raisedCritiques } from "./critique-status.ts";
import { distinctIds } from "./distinct-ids.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import type { CritiqueMessage } from "../schemas/critique-message.ts";
import type { Round } from "../schemas/round.ts";

/** An answer with readable aliases turned into the stable ids of their items. */
export function stableOutput(file: CaseFile, output: AgentOutput): AgentOutput {
  return {
    ...output,
    claims: output.claims.map((claim) => ({ ...claim, evidence: stableIds(file, claim.evidence) })),
    responses: output.responses.map((response) => ({ ...response, evidence: stableIds(file, response.evidence) })),
  };
}

/** A critique whose ids its critic has not used before in this debate. */
export function stableCritique(message: CritiqueMessage, before: Round[]): CritiqueMessage {
  const taken = raisedCritiques(before).filter(({ agent }) => agent === message.agent);
  return {
    ...message,
    critiques: distinctIds(
      message.critiques,
      "K",
      taken.map(({ id }) => id),
    ),
  };
}
