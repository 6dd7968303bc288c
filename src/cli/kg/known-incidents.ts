import { ParleyError } from "../../contract/error.ts";
import { findNearestName } from "../../text/nearest-name.ts";
import {
  type Incident,
  incidentsFileOf,
  readProjectIncidents,
  readStarterIncidents,
} from "../../knowledge/incidents/index.ts";
import type { Io } from "../terminal/io.ts";
import { locateStore } from "../setting/setting.ts";

export type KgOptions = { store?: string };

/** The starter incidents and the project's own, which replace starter incidents of the same id. */
export function listKnownIncidents(io: Io, options: KgOptions): Incident[] {
  const own = readProjectIncidents(incidentsFileOf(locateStore(io, options)));
  return [...new Map([...readStarterIncidents(), ...own].map((incident) => [incident.id, incident])).values()];
}

/** An incident by its id. */
export function findIncident(incidents: readonly Incident[], id: string): Incident {
  const found = incidents.find((incident) => incident.id === id);
  if (found) return found;
  const nearest = findNearestName(
    id,
    incidents.map((incident) => incident.id),
  );
  const hint = nearest === null ? "" : `; did you mean "${nearest}"?`;
  throw new ParleyError("bad_input", `no incident "${id}"${hint} (\`parley kg list\` lists them)`);
}
