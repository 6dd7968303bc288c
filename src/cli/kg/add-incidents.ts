import {
  type Incident,
  incidentsFileOf,
  mergeIncidents,
  printIncidents,
  readProjectIncidents,
} from "../../knowledge/incidents/index.ts";
import { replaceFile } from "../../store/replace-file.ts";
import { locateStore } from "../setting/setting.ts";
import type { Io } from "../terminal/io.ts";
import type { KgOptions } from "./known-incidents.ts";

/** Adds incidents to the project's own and says how many were new and how many took the place of old ones. */
export function addIncidents(io: Io, options: KgOptions, found: readonly Incident[]) {
  const file = incidentsFileOf(locateStore(io, options));
  const { incidents, added, replaced } = mergeIncidents(readProjectIncidents(file), found);
  replaceFile(file, printIncidents(incidents));
  return { added, replaced };
}
