/** Runs the tests and tells how many passed; `npm run test:long` runs this file. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Counts = { passed: number; failed: number; skipped: number };
type Report = { numPassedTests: number; numFailedTests: number; numPendingTests: number };

/** Runs the tests with this added to the environment; a run that fails without a failed test counts as one. */
export function runTests(env: Record<string, string>): Counts {
  const folder = mkdtempSync(join(tmpdir(), "parley-check-"));
  const file = join(folder, "tests.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const { status } = spawnSync("vitest", args, { stdio: "inherit", env: { ...process.env, ...env } });
  const { numPassedTests, numFailedTests, numPendingTests } = readReport(file);
  rmSync(folder, { recursive: true });
  const failed = status === 0 ? numFailedTests : Math.max(numFailedTests, 1);
  return { passed: numPassedTests, failed, skipped: numPendingTests };
}

/** The last line of a run, and its exit code. */
export function tellCounts({ passed, failed, skipped }: Counts): void {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Report;
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
  }
}

if (import.meta.main) tellCounts(runTests({ PARLEY_TESTS: "long" }));
