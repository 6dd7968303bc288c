import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "csv-parse/sync";
import type { LineLabel } from "./measure-grouping.ts";

/** A system's log with its ground truth. */
export type System = { name: string; log: string; truth: LineLabel[]; contents: string[]; corrected: boolean };

const data = process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../../shared/data");

/** Finds every loghub-like folder: $PARLEY_DATA/loghub_2k/NAME, $PARLEY_DATA/NAME, or $PARLEY_DATA itself. */
export function findSystems(): { name: string; folder: string }[] {
  const roots = [join(data, "loghub_2k"), data].filter((path) => existsSync(path));
  for (const root of roots) {
    const folders = [
      root,
      ...readdirSync(root, { withFileTypes: true })
        .filter((e) => e.isDirectory())
        .map((e) => join(root, e.name)),
    ];
    const found = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith(".log") && findTruth(folder, file) !== null)
        .map((file) => ({ name: file.replace(/(?:_2k|_full)?\.log$/, ""), folder: join(folder, file) })),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** Reads one system; a template's grouping is its text, as in the corrected files. */
export function readSystem(name: string, log: string): System {
  const path = findTruth(join(log, ".."), log.slice(log.lastIndexOf("/") + 1)) ?? "";
  const rows = parse(readFileSync(path), { columns: true, relax_quotes: true, bom: true }) as Record<string, string>[];
  const truth = rows.map((printRow) => ({
    group: printRow.EventTemplate ?? "",
    template: printRow.EventTemplate ?? "",
  }));
  return {
    name,
    log,
    truth,
    contents: rows.map((printRow) => printRow.Content ?? ""),
    corrected: path.includes("corrected"),
  };
}

function findTruth(folder: string, log: string): string | null {
  const candidates = [`${log}_structured_corrected.csv`, `${log}_structured.csv`];
  return candidates.map((file) => join(folder, file)).find((path) => existsSync(path)) ?? null;
}
