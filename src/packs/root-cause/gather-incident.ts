import type { RootCauseConfig } from "./config.ts";
import type { RootCauseInput } from "./input.ts";
import { retrieve } from "./retrieval/retrieve.ts";
import type { IncidentData } from "./roles/reasoner-input.ts";

/** The log and what the knowledge graph has to say about it, as every speaker of the debate gets them. */
export function gatherIncident({ incidents, ...log }: RootCauseInput, config: RootCauseConfig): IncidentData {
  const knowledge = config.knowledge.enabled ? retrieve(log, incidents, config.knowledge) : null;
  return { log, knowledge, logTokens: config.log_tokens };
}
