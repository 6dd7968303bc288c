/** Runs the tests and tells how many passed, and which did not; `npm run test:long` runs this file. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Counts,
  countTests,
  joinTries,
  listFailedFiles,
  type Outcome,
  readReport,
  describeFailures,
} from "./test-report.ts";

/** More files than this that fail are no accident of timing: they are not tried again. */
const MOST_TRIED_AGAIN = 4;

/**
 * Runs the tests with this added to the environment. Files with a failed test are run once more, one after another with
 * nothing beside them, to tell what always fails from what fails only beside others; both count as failed.
 */
export async function runTests(env: Record<string, string>): Promise<Counts> {
  const first = await runFiles([], env);
  const again = listFailedFiles(first);
  const isWorthIt = again.length > 0 && again.length <= MOST_TRIED_AGAIN;
  if (isWorthIt) console.log(`\n== again, alone: ${again.join(", ")}`);
  const outcome = isWorthIt ? joinTries(first, await runFiles(again, env)) : first;
  for (const line of describeFailures(outcome)) console.log(line);
  return countTests(outcome);
}

async function runFiles(files: string[], env: Record<string, string>): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "parley-check-"));
  const file = join(folder, "tests.json");
  const which = files.length === 0 ? [] : ["--maxWorkers=1", ...files];
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`, ...which];
  const [status] = await once(spawn("vitest", args, { stdio: "inherit", env: { ...process.env, ...env } }), "close");
  const outcome = readReport({ file, root: process.cwd(), isGood: status === 0 });
  rmSync(folder, { recursive: true });
  return outcome;
}

/** The last line of a run, and its exit code. */
export function describeCounts({ passed, failed, skipped }: Counts): void {
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = failed === 0 ? 0 : 1;
}

if (import.meta.main) describeCounts(await runTests({ PARLEY_TESTS: "long" }));
