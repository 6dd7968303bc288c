import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { type Incident, IncidentSchema } from "../schemas/incident.ts";

const folder = new URL("../../../../data/rca/incidents/", import.meta.url);
let starter: readonly Incident[] | null = null;

/** The past incidents that ship with the product, in the order of their files (root-cause spec §3.1). */
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
