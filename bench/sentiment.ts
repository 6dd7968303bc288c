/** Measures the sentiment experts on ABSA files: `npm run bench:sentiment [-- FILE_OR_FOLDER…] [--part even|odd] [--out DIR] [--model FILE|off] [--set KEY=VALUE]…`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadDatasets } from "./sentiment-data.ts";
import { measure, type Measured } from "./sentiment-measure.ts";
import { printChanges, printMeasured, printTotal } from "./sentiment-table.ts";
import { withSettings } from "../src/runs/settings.ts";
import { digestText, openLayer } from "../src/knowledge/opinions/index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    part: { type: "string", default: "all" },
    out: { type: "string", default: "out/bench-sentiment" },
    model: { type: "string", default: "default" },
    set: { type: "string", multiple: true, default: [] },
  },
});
const data = process.env.PARLEY_DATA ?? join(import.meta.dirname, "../../shared/data");
const paths = positionals.length > 0 ? positionals : [join(data, "absa_en"), join(data, "absa_ko")];
const datasets = loadDatasets(paths);
if (datasets.length === 0) {
  console.log(`SKIPPED: no ABSA data at ${paths.join(", ")} (set PARLEY_DATA or name JSONL files)`);
  process.exit(0);
}

const settings = withSettings({}, [...values.set, `learnt.en=${JSON.stringify(values.model)}`]);
const layer = openLayer(values.model, "en");

mkdirSync(values.out, { recursive: true });
const all: Measured[] = [];
for (const dataset of datasets) {
  const rows = dataset.rows.filter(
    (_, index) => values.part === "all" || (index % 2 === 0) === (values.part === "even"),
  );
  const measured = await measure({ ...dataset, rows }, settings);
  all.push(measured);
  printMeasured(measured);
  const taught = dataset.lang === "en" ? rows.filter((row) => layer?.seen.has(digestText(row.text))).length : 0;
  if (taught > 0)
    console.log(
      `  NOTE: ${taught} of these texts were taught to the layer that reads them; measure them with another (--model)`,
    );
  const file = join(values.out, `${dataset.name}.changes.jsonl`);
  writeFileSync(file, measured.changes.map((change) => `${JSON.stringify(change)}\n`).join(""));
  console.log(`  what the debate fixed and broke, item by item: ${file}\n`);
}
printTotal(all);
printChanges(all);
