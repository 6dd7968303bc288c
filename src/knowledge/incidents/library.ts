import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { type Incident, IncidentSchema } from "../../contract/incident.ts";
import { readPostMortem } from "./read-post-mortem.ts";

const folder = new URL("../../../data/rca/incidents/", import.meta.url);
let starter: readonly Incident[] | null = null;

/** The bundled past incidents, in the order of their files (root-cause spec §3.1). */
export function readStarterIncidents(): readonly Incident[] {
  starter ??= readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .flatMap((name) => readIncidentFile(name));
  return starter;
}

function readIncidentFile(name: string): Incident[] {
  const text = readFileSync(new URL(name, folder), "utf8");
  return z
    .array(IncidentSchema)
    .parse(parse(text))
    .map((incident) => ({ ...incident, source: "starter" }));
}

export function incidentsFileOf(storeFolder: string): string {
  return join(storeFolder, "incidents.jsonl");
}

/** Reads the project's incidents; a missing file is an empty list, a broken line an error. */
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

export function mergeIncidents(known: readonly Incident[], found: readonly Incident[]) {
  const merged = new Map(known.map((incident) => [incident.id, incident]));
  const replaced = found.filter(({ id }) => merged.has(id)).length;
  for (const incident of found) merged.set(incident.id, incident);
  return { incidents: [...merged.values()], added: found.length - replaced, replaced };
}

export function printIncidents(incidents: readonly Incident[]): string {
  return incidents.map((incident) => `${JSON.stringify(incident)}\n`).join("");
}

/** Reads incidents from a file: JSON, JSONL, YAML, or a Markdown post-mortem, by its ending (root-cause spec §3.3). */
export async function importIncidents(name: string, text: string): Promise<Incident[]> {
  if (text.trim() === "")
    throw new ParleyError("bad_input", `${name} is empty; give incidents as JSON, JSONL, YAML or Markdown`);
  const found = (await readValues(name, text)).map((value, index) => checkIncident(name, value, index));
  const twice = found.find(({ id }, index) => found.findIndex((other) => other.id === id) !== index);
  if (twice) throw new ParleyError("bad_input", `${name}: the id "${twice.id}" is used twice; ids must be unique`);
  return found.map((incident) => ({ ...incident, source: "import" }));
}

async function readValues(name: string, text: string): Promise<unknown[]> {
  if (/\.(?:md|markdown)$/i.test(name)) return [await readPostMortem(name, text)];
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return readJsonLines(name, text);
  const value = readAs(name, () => parse(text) as unknown);
  if (Array.isArray(value)) return value;
  const wrapped = value as { incidents?: unknown } | null;
  return Array.isArray(wrapped?.incidents) ? wrapped.incidents : [value];
}

function readJsonLines(name: string, text: string): unknown[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      line.trim() === "" ? [] : [readAs(`${name}:${index + 1}`, () => JSON.parse(line) as unknown)],
    );
}

function readAs(where: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new ParleyError("bad_input", `${where}: not valid JSON or YAML: ${what}`, { cause });
  }
}

function checkIncident(name: string, value: unknown, index: number): Incident {
  const checked = IncidentSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw new ParleyError("bad_input", `${name}, incident ${index + 1}:\n${z.prettifyError(checked.error)}`);
}
