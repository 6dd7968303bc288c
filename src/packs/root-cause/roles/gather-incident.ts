import { type Incident, type RetrievalOptions, retrieve } from "../../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import type { IncidentData } from "./role-inputs.ts";

/** How an incident is gathered: whether and how past incidents are asked, and how much of the log the prompts hold. */
export type GatherOptions = { knowledge: RetrievalOptions & { enabled: boolean }; log_tokens: number };

/** The log and what past incidents say about it, as every speaker of the debate gets them. */
export function gatherIncident(
  { incidents, ...log }: ParsedLog & { incidents: Incident[] },
  { knowledge, log_tokens }: GatherOptions,
): IncidentData {
  return { log, knowledge: knowledge.enabled ? retrieve(log, incidents, knowledge) : null, logTokens: log_tokens };
}
