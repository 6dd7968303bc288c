/**
 * `npm test`: types, lint, format, import directions, build, then the tests; the last line is `N passed, N failed`.
 * With `--whole`, as in CI, every case of the long tests too; nothing runs twice.
 */
import { spawn } from "node:child_process";
import { runTests, describeCounts } from "./run-tests.ts";

type Step = { name: string; command: string; args: string[] };
type Done = { name: string; isGood: boolean; seconds: number; output: string };

const steps: Step[] = [
  { name: "types", command: "tsc", args: ["--noEmit", "--singleThreaded"] },
  { name: "lint", command: "oxlint", args: ["--type-aware", "--deny-warnings"] },
  { name: "format", command: "biome", args: ["format", "."] },
  { name: "imports", command: "node", args: ["scripts/check-imports.ts"] },
  { name: "browser", command: "node", args: ["scripts/ensure-chromium.ts"] },
  { name: "build", command: "tsdown", args: ["--logLevel", "error"] },
  { name: "viewer", command: "vite", args: ["build", "--logLevel", "error"] },
  { name: "pages", command: "vite", args: ["build", "--ssr", "page.tsx", "--logLevel", "error"] },
];

/**
 * The compiler and the linter, which are written in Go, run beside each other: with one thread each, and memory that is
 * swept less often, they do half the work that they do when each spreads over all cores.
 */
const frugal = { GOMAXPROCS: "1", GOGC: "400" };

/** Runs a step and keeps what it prints, so that steps beside each other do not print into each other. */
function runStep({ name, command, args }: Step): Promise<Done> {
  const startedMs = performance.now();
  const parts: Buffer[] = [];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...frugal } });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => parts.push(part));
  return new Promise((done) => {
    const end = (isGood: boolean): void =>
      done({ name, isGood, seconds: (performance.now() - startedMs) / 1000, output: Buffer.concat(parts).toString() });
    child.once("error", (error) => {
      parts.push(Buffer.from(error.message));
      end(false);
    });
    child.once("close", (code) => end(code === 0));
  });
}

/** Tells how steps ended, in their order; the names of those that failed. */
async function describeSteps(running: Promise<Done>[]): Promise<string[]> {
  const failed: string[] = [];
  for (const step of running) {
    const { name, isGood, seconds, output } = await step;
    console.log(`\n== ${name}: ${isGood ? "good" : "FAILED"} (${seconds.toFixed(1)} s)`);
    if (output.trim() !== "") console.log(output.trim());
    if (!isGood) failed.push(name);
  }
  return failed;
}

const failed = await describeSteps(steps.map(runStep));
console.log("\n== tests");
const counts = await runTests({
  ...(failed.includes("build") ? {} : { PARLEY_BUILT: "yes" }),
  ...(process.argv.includes("--whole") ? { PARLEY_TESTS: "whole" } : {}),
});
const all = counts.failed > 0 ? [...failed, "tests"] : failed;
console.log(all.length === 0 ? "\nall checks passed" : `\nfailed: ${all.join(", ")}`);
describeCounts({ ...counts, failed: counts.failed + failed.length });
