import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { parseLines } from "../../packs/root-cause/logs/parse-logs.ts";
import type { Row } from "./rows.ts";
import type { RawCase } from "./study-case.ts";

const LogRowSchema = z.strictObject({
  id: z.string(),
  /** The log itself, line by line. */
  lines: z.array(z.string()).min(1),
  gold: z.unknown().optional(),
  strata: z.record(z.string(), z.string()).default({}),
});

/** An incident whose log lines are read by the root-cause pack's own log parser. */
export async function logCase({ value, at }: Row): Promise<RawCase> {
  const row = LogRowSchema.safeParse(value);
  if (!row.success)
    throw new ParleyError(
      "bad_input",
      `${at}: ${row.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`,
    );
  const { id, lines, gold = null, strata } = row.data;
  return { id, input: await parseLines(lines, { name: "incident.log" }), gold, strata, at };
}
