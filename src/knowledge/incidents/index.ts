/** What logs and past incidents say about a fault: a log → what may be its cause; a log → similar incidents. */
export * from "../../contract/incident.ts";
export { askHistory, type RetrievalOptions } from "./history.ts";
export {
  type ConfirmedCause,
  importIncidents,
  incidentsFileOf,
  learnIncident,
  mergeIncidents,
  printIncidents,
  readProjectIncidents,
  readStarterIncidents,
} from "./library.ts";
export { type LogReading, readLog, type Suspect } from "./read-log.ts";
export { type CitedLine, placeEvent } from "./scene.ts";
export { splitStrands, type Strand } from "./split-strands.ts";
