import {
  type Incident,
  type Knowledge,
  recallCalls,
  type RetrievalOptions,
  retrieve,
} from "../../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import { completeLog } from "./complete-log.ts";
import type { IncidentData } from "./role-inputs.ts";

/** How an incident is gathered: whether and how past incidents are asked, and how much of the log the prompts hold. */
export type GatherOptions = { knowledge: RetrievalOptions & { enabled: boolean }; log_tokens: number };

/** A case: the log, the project's own incidents, and what past incidents say where the case brings it along. */
export type GatheredCase = ParsedLog & { incidents: Incident[] } & Partial<Omit<Knowledge, "incidents">>;

/** The log and what past incidents say about it, as every speaker of the debate gets them; what is given goes before what is found. */
export function gatherIncident(input: GatheredCase, { knowledge, log_tokens }: GatherOptions): IncidentData {
  const { incidents, similar_incidents, causal_paths, entity_context, patterns, ...parsed } = input;
  if (!knowledge.enabled) return { log: completeLog(parsed), knowledge: null, logTokens: log_tokens };
  const log = recallCalls(completeLog(parsed), incidents);
  const given = { similar_incidents, causal_paths, entity_context, patterns };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { log, knowledge: { ...retrieve(log, incidents, knowledge), ...known }, logTokens: log_tokens };
}
