/** `npm test`: types, lint, format, import directions, tests, build; the last line is `N passed, N failed`. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Step = { name: string; command: string; args: string[] };
type Report = { numPassedTests: number; numFailedTests: number; numPendingTests: number };

const folder = mkdtempSync(join(tmpdir(), "parley-check-"));
const reportFile = join(folder, "tests.json");
const steps: Step[] = [
  { name: "types", command: "tsc", args: ["--noEmit"] },
  { name: "lint", command: "oxlint", args: ["--type-aware", "--deny-warnings"] },
  { name: "format", command: "biome", args: ["format", "."] },
  { name: "imports", command: "node", args: ["scripts/check-imports.ts"] },
  { name: "browser", command: "node", args: ["scripts/ensure-chromium.ts"] },
  {
    name: "tests",
    command: "vitest",
    args: ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`],
  },
  { name: "build", command: "tsdown", args: ["--logLevel", "warn"] },
];

const failed: string[] = [];
for (const step of steps) {
  console.log(`\n== ${step.name}`);
  const { status } = spawnSync(step.command, step.args, { stdio: "inherit" });
  if (status !== 0) failed.push(step.name);
}

const report = readReport();
const otherFailures = failed.filter((name) => name !== "tests" || report.numFailedTests === 0).length;
console.log(failed.length === 0 ? "\nall checks passed" : `\nfailed: ${failed.join(", ")}`);
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : "";
console.log(`${report.numPassedTests} passed, ${report.numFailedTests + otherFailures} failed${skipped}`);
rmSync(folder, { recursive: true });
process.exitCode = failed.length === 0 ? 0 : 1;

function readReport(): Report {
  try {
    return JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
  }
}
