import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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

/** Adds incidents, those with a known id in place of the old ones, and replaces the file at once. */
export function addProjectIncidents(file: string, added: readonly Incident[]): { added: number; replaced: number } {
  const before = readProjectIncidents(file);
  const merged = new Map(before.map((incident) => [incident.id, incident]));
  const replaced = added.filter(({ id }) => merged.has(id)).length;
  for (const incident of added) merged.set(incident.id, incident);
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, [...merged.values()].map((incident) => `${JSON.stringify(incident)}\n`).join(""));
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw new ParleyError(
      "write_failed",
      `${file} could not be written: ${(cause as Error).message}; what was there before is untouched`,
      { cause },
    );
  }
  return { added: added.length - replaced, replaced };
}
