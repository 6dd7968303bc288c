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

const importOf = (...files: string[]): string[] => [
  "--input-type=module",
  "-e",
  files.map((file) => `await import("${join(root, file)}");`).join(""),
];

const launcher = [join(root, "scripts/parley.js"), "--version"];
const entries = ["src/index.ts", "src/packs/root-cause/index.ts", "src/studies/index.ts"];

it.each([
  ["npm run parley and npm run demo", launcher, ["20.20.2", "22.17.1"]],
  ['import "parley"', importOf("src/index.ts"), ["20.20.2", "22.17.1"]],
  ['import "parley/root-cause"', importOf("src/packs/root-cause/index.ts"), ["22.17.1"]],
  ['import "parley/studies"', importOf("src/studies/index.ts"), ["22.17.1"]],
])("%s is refused", (_, args, versions) => {
  for (const version of versions) {
    const { status, err } = runAs(version, args);
    expect(status).toBe(1);
    expect(err).toContain("Parley needs Node 22.18 or newer");
  }
});

it("the oldest Node that will do is taken", () => {
  expect(runAs("22.18.0", launcher)).toMatchObject({ status: 0 });
  expect(runAs("22.18.0", importOf(...entries))).toMatchObject({ status: 0 });
});
