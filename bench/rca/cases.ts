/** Reads the labelled failures of the data folder as ParsedLogs; what is a label never enters a log. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildHadoopLog, type HadoopRow } from "./hadoop-log.ts";
import { buildNezhaLog, type NezhaRow } from "./nezha-log.ts";
import type { ParsedLog } from "../../src/knowledge/logs/index.ts";

export type HadoopCase = { kind: "hadoop"; id: string; log: ParsedLog; row: HadoopRow };
export type NezhaCase = { kind: "nezha"; id: string; log: ParsedLog; row: NezhaRow };

const data = process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../../shared/data");
const folder = [join(data, "rca"), data].find((one) => existsSync(one) && readdirSync(one).some(isRows)) ?? null;

function isRows(name: string): boolean {
  return /\.jsonl(\.gz)?$/.test(name);
}

/** The folder of the labelled failures, or null when it is not there. */
export function findRcaFolder(): string | null {
  return folder;
}

/** Rows with salient lines and templates are Hadoop runs. */
export function readHadoopCases(): HadoopCase[] {
  const rows = readAllRows().filter((row) => "salient" in row && "templates" in row) as HadoopRow[];
  return rows.map((row) => ({ kind: "hadoop", id: row.id, log: buildHadoopLog(row), row }));
}

/** Rows with template counts of fault and reference are faults of microservices. */
export function readNezhaCases(): NezhaCase[] {
  const rows = readAllRows().filter((row) => "template_counts" in row && "lines" in row) as NezhaRow[];
  return rows.map((row) => ({ kind: "nezha", id: row.id, log: buildNezhaLog(row), row }));
}

function readAllRows(): object[] {
  if (folder === null) return [];
  return readdirSync(folder)
    .filter(isRows)
    .sort()
    .flatMap((name) => {
      const bytes = readFileSync(join(folder, name));
      const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
      return text
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => JSON.parse(line) as object);
    });
}
