import * as z from "zod";
import type { Incident } from "../schemas/incident.ts";
import type { Query } from "../compare/build-query.ts";

/** What the graph knows of an observed entity: the incidents it was involved in and their causes. */
export const EntityContextSchema = z.record(
  z.string(),
  z.array(z.strictObject({ incident_id: z.string(), category: z.string(), cause: z.string() })),
);
export type EntityContext = z.infer<typeof EntityContextSchema>;

/** The past of the observed entities, the most involved first (root-cause spec §3.2). */
export function gatherEntityContext(incidents: readonly Incident[], query: Query, most = 8): EntityContext {
  const names = [...new Set(query.entities.map(({ name }) => name))];
  const known = names
    .map((name) => ({ name, past: incidents.filter((incident) => involves(incident, name)) }))
    .filter(({ past }) => past.length > 0)
    .sort((a, b) => b.past.length - a.past.length || (a.name < b.name ? -1 : 1));
  return Object.fromEntries(
    known
      .slice(0, most)
      .map(({ name, past }) => [
        name,
        past.slice(0, 5).map(({ id, category, cause }) => ({ incident_id: id, category, cause })),
      ]),
  );
}

function involves({ entities }: Incident, name: string): boolean {
  return entities.some((entity) => entity.name.toLowerCase() === name.toLowerCase());
}
