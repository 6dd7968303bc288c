/** An older Node is told which one is needed, wherever it comes in. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { cleanEnv, newFolder } from "./support/cli.ts";

const root = resolve(import.meta.dirname, "..");
const pretend = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;

function runAs(version: string, args: string[]): { status: number | null; err: string } {
  const { status, stderr } = spawnSync(process.execPath, ["--import", pretend(version), ...args], {
    cwd: newFolder(),
    env: cleanEnv(),
    encoding: "utf8",
  });
  return { status, err: stderr };
}

const importOf = (file: string): string[] => ["--input-type=module", "-e", `await import("${join(root, file)}")`];

it.each([
  ["npm run parley and npm run demo", [join(root, "scripts/parley.js"), "--version"]],
  ['import "parley"', importOf("src/index.ts")],
  ['import "parley/root-cause"', importOf("src/packs/root-cause/index.ts")],
  ['import "parley/studies"', importOf("src/studies/index.ts")],
])("%s", (_, args) => {
  for (const version of ["20.20.2", "22.17.1"]) {
    const { status, err } = runAs(version, args);
    expect(status).toBe(1);
    expect(err).toContain("Parley needs Node 22.18 or newer");
  }
  expect(runAs("22.18.0", args)).toMatchObject({ status: 0 });
});
