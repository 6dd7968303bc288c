/** Reads the labelled failures of the data folder as ParsedLogs; what is a label never enters a log. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { hadoopLog, type HadoopRow } from "../src/packs/root-cause/datasets/hadoop-log.ts";
import { nezhaLog, type NezhaRow } from "../src/packs/root-cause/datasets/nezha-log.ts";
import type { ParsedLog } from "../src/packs/root-cause/logs/parsed-log.ts";

export type HadoopCase = { kind: "hadoop"; id: string; log: ParsedLog; row: HadoopRow };
export type NezhaCase = { kind: "nezha"; id: string; log: ParsedLog; row: NezhaRow };

const folder = join(process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../shared/data"), "rca");

/** The folder of the labelled failures, or null when it is not there. */
export function rcaFolder(): string | null {
  return existsSync(folder) ? folder : null;
}

export function hadoopCases(): HadoopCase[] {
  return rowsOf<HadoopRow>(/^hadoop.*\.jsonl(\.gz)?$/).map((row) => ({
    kind: "hadoop",
    id: row.id,
    log: hadoopLog(row),
    row,
  }));
}

export function nezhaCases(): NezhaCase[] {
  return rowsOf<NezhaRow>(/^nezha.*\.jsonl(\.gz)?$/).map((row) => ({
    kind: "nezha",
    id: row.id,
    log: nezhaLog(row),
    row,
  }));
}

function rowsOf<T>(pattern: RegExp): T[] {
  const names = readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();
  return names.flatMap((name) => {
    const bytes = readFileSync(join(folder, name));
    const text = (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => JSON.parse(line) as T);
  });
}
