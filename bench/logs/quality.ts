import { parse } from "csv-parse/sync";
import { writeTemplateCsv } from "../../src/knowledge/logs/index.ts";
import { type GroupingMetrics, type LineLabel, measureGrouping } from "./measure-grouping.ts";
import { findSystems, readSystem, type System } from "./systems.ts";

const columns = ["ga", "fga", "pa", "fta"] as const;

/** Parses each system's log as `parley logs parse FILE --csv` does and compares its rows with the ground truth by LineId. */
export async function measureQuality(only: readonly string[] | null): Promise<void> {
  const systems = findSystems().filter(({ name }) => only === null || only.includes(name));
  if (systems.length === 0) return console.log("no loghub-like data found: set PARLEY_DATA (skipped)");
  console.log(
    `${"system".padEnd(13)}${[...columns, "templates", "truth"].map((name) => name.toUpperCase().padStart(10)).join("")}`,
  );
  const all: GroupingMetrics[] = [];
  for (const { name, folder } of systems) {
    const system = readSystem(name, folder);
    const metrics = measureGrouping(await labelLines(system), system.truth);
    all.push(metrics);
    console.log(`${name.padEnd(13)}${printRow(metrics)}${system.corrected ? "" : "  (uncorrected truth)"}`);
  }
  const mean = Object.fromEntries(columns.map((key) => [key, all.reduce((sum, m) => sum + m[key], 0) / all.length]));
  console.log(`${"mean".padEnd(13)}${columns.map((key) => (mean[key] ?? 0).toFixed(3).padStart(10)).join("")}`);
}

function printRow(metrics: GroupingMetrics): string {
  const scores = columns.map((key) => metrics[key].toFixed(3).padStart(10)).join("");
  return `${scores}${String(metrics.groups).padStart(10)}${String(metrics.truthGroups).padStart(10)}`;
}

/** One label for each line; a line without a row of its own counts as a group of its own. */
async function labelLines(system: System): Promise<LineLabel[]> {
  let csv = "";
  await writeTemplateCsv([system.log], { nowMs: 0 }, (text) => {
    csv += text;
  });
  const rows = parse(csv, { columns: true }) as { LineId: string; EventId: string; EventTemplate: string }[];
  const byLine = new Map(rows.map((r) => [Number(r.LineId), { group: r.EventId, template: r.EventTemplate }]));
  return system.truth.map((_, index) => byLine.get(index + 1) ?? { group: `missing ${index}`, template: "" });
}
