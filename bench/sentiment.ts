/** Measures the sentiment experts on ABSA files: `npm run bench:sentiment [-- FILE_OR_FOLDER…] [--part even|odd] [--out DIR]`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadDatasets } from "./sentiment-data.ts";
import { measure, type Measured } from "./sentiment-measure.ts";
import { printMeasured, printTotal } from "./sentiment-table.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: "string", default: "all" }, out: { type: "string", default: "out/bench-sentiment" } },
});
const data = process.env.PARLEY_DATA ?? join(import.meta.dirname, "../../shared/data");
const paths = positionals.length > 0 ? positionals : [join(data, "absa_en"), join(data, "absa_ko")];
const datasets = loadDatasets(paths);
if (datasets.length === 0) {
  console.log(`SKIPPED: no ABSA data at ${paths.join(", ")} (set PARLEY_DATA or name JSONL files)`);
  process.exit(0);
}

mkdirSync(values.out, { recursive: true });
const all: Measured[] = [];
for (const dataset of datasets) {
  const rows = dataset.rows.filter(
    (_, index) => values.part === "all" || (index % 2 === 0) === (values.part === "even"),
  );
  const measured = await measure({ ...dataset, rows }, data);
  all.push(measured);
  printMeasured(measured);
  const file = join(values.out, `${dataset.name}.changes.jsonl`);
  writeFileSync(file, measured.changes.map((change) => `${JSON.stringify(change)}\n`).join(""));
  console.log(`  what the debate fixed and broke, item by item: ${file}\n`);
}
printTotal(all);
