import { type CaseFile, stableIds } from "./case-file.ts";
import { raisedCritiques } from "./convergence/critique-status.ts";
import { distinctIds } from "./checks/claim-checks.ts";
import type { AgentOutput } from "./messages/agent-output.ts";
import type { CritiqueMessage } from "./messages/critique-message.ts";
import type { Round } from "./messages/round.ts";

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
