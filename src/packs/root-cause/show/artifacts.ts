import type { Artifact } from "../../../engine/pack.ts";
import { gatherIncident } from "../gather-incident.ts";
import { type Done, report } from "./report.ts";

/** The files of a run: the output object, the printed report, and what the knowledge graph said. */
export function artifacts(done: Done): Artifact[] {
  const { knowledge } = gatherIncident(done.input, done.config);
  return [
    { name: "root-cause.json", content: json(done.result.decision) },
    { name: "report.txt", content: report(done) },
    { name: "knowledge.json", content: json(knowledge) },
  ];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
