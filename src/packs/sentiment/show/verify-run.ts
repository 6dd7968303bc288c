import type { Finding } from "../../../engine/pack.ts";
import { buildArtifacts } from "./artifacts.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { verifyCounts, verifyOutput } from "./verify.ts";

/** The integrity checks of a run of one case (sentiment spec §9): its output, and that every file has one line for it. */
export function verifyRun(decision: FinalOutput | null): Finding[] {
  const checked = verifyOutput(decision);
  if (decision === null || checked.some((finding) => finding.check === "schema")) return checked;
  const lines = buildArtifacts([decision]).filter(({ name }) => name.endsWith(".jsonl"));
  const files = new Map(lines.map(({ name, content }) => [name, readIds(content)]));
  const counts = verifyCounts(
    {
      outputs: files.get("outputs.jsonl") ?? [],
      scorecards: files.get("scorecards.jsonl") ?? [],
      traces: files.get("traces.jsonl") ?? [],
    },
    1,
  );
  return [...counts, ...checked];
}

/** The text ids of a JSON Lines file. */
export function readIds(content: string): string[] {
  return content
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const row = JSON.parse(line) as { text_id?: string; meta?: { text_id: string } };
      return row.text_id ?? row.meta?.text_id ?? "";
    });
}
