import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetRow } from "../../engine/pack.ts";
import { type HadoopRow, hadoopLog } from "../../packs/root-cause/datasets/hadoop-log.ts";
import { type NezhaRow, nezhaLog } from "../../packs/root-cause/datasets/nezha-log.ts";
import { parseLines } from "../../packs/root-cause/logs/parse-logs.ts";

const LogRowSchema = z.strictObject({
  id: z.string(),
  /** The log itself, line by line. */
  lines: z.array(z.string()).min(1),
  gold: z.unknown().optional(),
  strata: z.record(z.string(), z.string()).default({}),
});

/** An incident whose log lines are read by the root-cause pack's own log parser. */
export async function logCase({ value, at }: DatasetRow): Promise<DatasetCase> {
  const row = LogRowSchema.safeParse(value);
  if (!row.success)
    throw new ParleyError(
      "bad_input",
      `${at}: ${row.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`,
    );
  const { id, lines, gold = null, strata } = row.data;
  return { id, input: await parseLines(lines, { name: "incident.log" }), gold, strata, at };
}

const hadoopCategories: Record<string, string> = {
  "Machine down": "hardware",
  "Network disconnection": "network",
  "Disk full": "resource",
  Normal: "none",
};

/** A labelled Hadoop run: salient lines and template counts; `disputed` tells where the two label sets differ. */
export function hadoopCase({ value, at }: DatasetRow): DatasetCase {
  const row = value as HadoopRow;
  const category = hadoopCategories[row.label];
  if (category === undefined || !Array.isArray(row.salient))
    throw new ParleyError(
      "bad_input",
      `${at}: a labelled Hadoop run has salient lines and a label (${Object.keys(hadoopCategories).join(", ")})`,
    );
  const disputed = row.label === row.label_logdelta ? "no" : "yes";
  return { id: row.id, input: hadoopLog(row), gold: { category }, strata: { disputed }, at };
}

const visibleFaults = new Set(["return", "exception"]);

/** A fault of microservices: sampled traces with a healthy reference; CPU and network faults hardly show in logs. */
export function nezhaCase({ value, at }: DatasetRow): DatasetCase {
  const row = value as NezhaRow;
  if (typeof row.root_service !== "string" || !Array.isArray(row.lines))
    throw new ParleyError("bad_input", `${at}: a labelled fault has lines, template_counts and a root_service`);
  const strata = { fault: row.fault_type, in_logs: visibleFaults.has(row.fault_type) ? "visible" : "hardly visible" };
  return { id: row.id, input: nezhaLog(row), gold: { component: row.root_service }, strata, at };
}
