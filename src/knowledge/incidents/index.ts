export * from "../../contract/incident.ts";
export { askHistory, type RetrievalOptions } from "./history.ts";
export { type ConfirmedCause, learnIncident } from "./learn-incident.ts";
export {
  importIncidents,
  incidentsFileOf,
  mergeIncidents,
  printIncidents,
  readProjectIncidents,
  readStarterIncidents,
} from "./library.ts";
export {
  describeCalm,
  describeDraft,
  type Draft,
  findNeighbours,
  listDrafts,
  type LogReading,
  readLog,
  type Suspect,
} from "./read-log.ts";
export { type CitedLine, placeEvent } from "./scene.ts";
export { type Features, shareOut } from "./weigh.ts";
