import * as z from "zod";
import { keyEntity } from "../../logs/index.ts";
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
  const involved = incidents.map((incident) => ({ incident, keys: listKeys(incident) }));
  const findPast = (key: string) => involved.flatMap(({ incident, keys }) => (keys.has(key) ? [incident] : []));
  const known = names
    .map((name) => ({ name, past: findPast(keyEntity(name)) }))
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

/** Names that are one thing, however they are written, have one key. */
function listKeys({ entities }: Incident): Set<string> {
  return new Set(entities.map(({ name }) => keyEntity(name)));
}
