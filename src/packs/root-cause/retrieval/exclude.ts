import type { KnowledgeConfig } from "../config.ts";
import type { Incident } from "../knowledge/incident.ts";

/** The incidents that a debate may see: not excluded by id or context, and the last of each id (root-cause §3). */
export function admissible(incidents: readonly Incident[], config: KnowledgeConfig): Incident[] {
  const byId = new Map(incidents.map((incident) => [incident.id, incident]));
  return [...byId.values()].filter(
    (incident) =>
      !config.exclude_ids.includes(incident.id) && !config.exclude_context.some((pairs) => hasAll(incident, pairs)),
  );
}

function hasAll({ context }: Incident, pairs: Record<string, string>): boolean {
  const wanted = Object.entries(pairs);
  return wanted.length > 0 && wanted.every(([key, value]) => context[key] === value);
}
