import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetFormat, DatasetRow } from "../../engine/pack.ts";
import { parseLines } from "../../knowledge/logs/index.ts";

const LogRowSchema = z.strictObject({
  id: z.string(),
  /** The log itself, line by line. */
  lines: z.array(z.string()).min(1),
  gold: z.unknown().optional(),
  strata: z.record(z.string(), z.string()).default({}),
});

/** The dataset formats that a study may name. A log that comes already parsed needs none of them: it is a case as it is. */
export const datasets: Record<string, DatasetFormat> = {
  logs: {
    about: "incidents: {id, lines: [log lines], gold: {category, component}}",
    read: async (file) => ({ cases: await Promise.all(file.rows("jsonl").map(makeLogCase)) }),
  },
};

/** Makes a case of an incident's log lines with the product's own log parser. */
async function makeLogCase({ value, at }: DatasetRow): Promise<DatasetCase> {
  const row = LogRowSchema.safeParse(value);
  if (!row.success)
    throw new ParleyError(
      "bad_input",
      `${at}: ${row.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`,
    );
  const { id, lines, gold = null, strata } = row.data;
  return { id, input: await parseLines(lines, { name: "incident.log" }), gold, strata, at };
}
