import type { Artifact } from "../../../engine/pack.ts";
import { gatherIncident } from "../roles/gather-incident.ts";
import type { Done } from "./done.ts";
import { report } from "./report.ts";

/** The files of a run: the output object, the printed report, and what the knowledge graph said. */
export function listArtifacts(done: Done): Artifact[] {
  const { knowledge } = gatherIncident(done.input, done.config);
  return [
    { name: "root-cause.json", content: printJson(done.result.decision) },
    { name: "report.txt", content: report(done) },
    { name: "knowledge.json", content: printJson(knowledge) },
  ];
}

function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
