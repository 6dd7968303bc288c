/** `npm run bench [-- --only NAME]`: how fast Parley is, as ratios inside one run; each measurement in its own process. */
import { spawnSync } from "node:child_process";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { suggestName } from "../src/text/similar.ts";
import { type Figure, isMet } from "./speed/figure.ts";

const measurements = ["overhead", "startup", "storage", "throughput"];

const { values } = parseArgs({ options: { only: { type: "string", multiple: true } } });
const unknown = values.only?.find((name) => !measurements.includes(name));
if (unknown !== undefined) {
  console.error(`unknown measurement "${unknown}"${suggestName(unknown, measurements)}`);
  process.exit(2);
}

console.log(`Node ${process.version}, load ${loadavg()[0]?.toFixed(1)} on a shared machine; medians, with quartiles\n`);
printRow(["measurement", "median", "spread", "target", "", "note"]);
let missed = 0;
for (const name of values.only ?? measurements) {
  for (const figure of run(name)) {
    if (isMet(figure) === false) missed += 1;
    print(figure);
  }
}
console.log(missed === 0 ? "\nevery target is met" : `\n${missed} ${missed === 1 ? "target" : "targets"} missed`);
process.exitCode = missed === 0 ? 0 : 1;

function run(name: string): Figure[] {
  const script = new URL(`./speed/${name}.ts`, import.meta.url).pathname;
  const options = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  const { status, stdout } = spawnSync(process.execPath, [...options, script], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the measurement "${name}" failed with status ${status}`);
  return JSON.parse(stdout) as Figure[];
}

function print(figure: Figure): void {
  const { name, value, low, high, unit, target, note } = figure;
  const shown = (number: number): string => `${number.toFixed(3)} ${unit}`;
  const limit = target === null ? "" : "atMost" in target ? `≤ ${shown(target.atMost)}` : `≥ ${shown(target.atLeast)}`;
  const met = isMet(figure);
  printRow([
    name,
    shown(value),
    `${shown(low)} – ${shown(high)}`,
    limit,
    met === null ? "" : met ? "met" : "MISSED",
    note,
  ]);
}

function printRow(cells: string[]): void {
  const widths = [44, 10, 21, 12, 6, 0];
  process.stderr.write(process.stderr.isTTY ? "\r\u001B[K" : "");
  console.log(
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
