import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ParleyError } from "../../../contract/error.ts";
import { type Incident, IncidentSchema } from "../schemas/incident.ts";

/** The file of a store's folder that holds the project's own incidents, one per line. */
export function incidentsFileOf(storeFolder: string): string {
  return join(storeFolder, "incidents.jsonl");
}

/** The project's own incidents; a file that is not there is an empty list, a broken line is an error that names it. */
export function readProjectIncidents(file: string): Incident[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [readLine(line, `${file}:${index + 1}`)]));
}

function readLine(line: string, where: string): Incident {
  try {
    return IncidentSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new ParleyError("corrupt_store", `${where} is not an incident; remove the line or restore the file`, {
      cause,
    });
  }
}

/** Adds incidents to known ones; those with a known id take the place of the old ones. */
export function mergeIncidents(known: readonly Incident[], found: readonly Incident[]) {
  const merged = new Map(known.map((incident) => [incident.id, incident]));
  const replaced = found.filter(({ id }) => merged.has(id)).length;
  for (const incident of found) merged.set(incident.id, incident);
  return { incidents: [...merged.values()], added: found.length - replaced, replaced };
}

/** Incidents as the text of a file that `readProjectIncidents` reads. */
export function printIncidents(incidents: readonly Incident[]): string {
  return incidents.map((incident) => `${JSON.stringify(incident)}\n`).join("");
}
