import type { Incident } from "../schemas/incident.ts";

/** Which past incidents may be asked, how much of what they say is told, and what must not be matched on. */
export type RetrievalOptions = {
  /** Whether the incidents that ship with the product are asked too. */
  starter: boolean;
  similar: number;
  paths: number;
  patterns: number;
  exclude_ids: readonly string[];
  /** Leaves out incidents whose context has all pairs of one of these. */
  exclude_context: readonly Record<string, string>[];
  /** Words that are taken out of both sides before matching. */
  hide: readonly string[];
};

/** How past incidents are asked unless told otherwise. */
export const defaultRetrieval: RetrievalOptions = {
  starter: true,
  similar: 5,
  paths: 5,
  patterns: 5,
  exclude_ids: [],
  exclude_context: [],
  hide: [],
};

/** The incidents that may be asked: not excluded by id or context, and the last of each id (root-cause spec §3.4). */
export function selectIncidents(
  incidents: readonly Incident[],
  options: Pick<RetrievalOptions, "exclude_ids" | "exclude_context">,
): Incident[] {
  const byId = new Map(incidents.map((incident) => [incident.id, incident]));
  return [...byId.values()].filter(
    (incident) =>
      !options.exclude_ids.includes(incident.id) && !options.exclude_context.some((pairs) => hasAll(incident, pairs)),
  );
}

function hasAll({ context }: Incident, pairs: Record<string, string>): boolean {
  const wanted = Object.entries(pairs);
  return wanted.length > 0 && wanted.every(([key, value]) => context[key] === value);
}
