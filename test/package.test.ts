import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { newFolder } from "./support/cli.ts";

const root = resolve(import.meta.dirname, "..");
const project = newFolder();
const node = process.execPath;

/** An empty project with the packed package in it, built unless that was just done; the dependencies are this checkout's. */
beforeAll(() => {
  const out = newFolder();
  const build = process.env.PARLEY_BUILT === "yes" ? ["--ignore-scripts"] : [];
  execFileSync("npm", ["pack", "--silent", ...build, "--pack-destination", out], { cwd: root, stdio: "pipe" });
  const modules = join(project, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules")))
    if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), join(modules, name));
  mkdirSync(join(modules, "parley"));
  const tarball = readdirSync(out).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["-xzf", join(out, tarball), "-C", join(modules, "parley"), "--strip-components=1"]);
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
});

const run = (...args: string[]): string =>
  execFileSync(node, args, { cwd: project, encoding: "utf8", env: { PATH: process.env.PATH } });

it("the sample of the README runs against the packed package", () => {
  const sample = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1] ?? "";
  expect(sample.trim().split("\n").length).toBeLessThanOrEqual(16);
  writeFileSync(join(project, "sample.ts"), sample);
  expect(run("sample.ts")).toBe(
    "decided The cracks were caused by the wrong steel grade, the survey found.\n3 turns, 0 abstained\n",
  );
});

it("the packed command line runs the demo", () => {
  expect(run("node_modules/parley/bin/parley.js", "demo")).toMatch(/\d debates in/);
});

it("every entry point of the package can be imported and has types", () => {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    exports: Record<string, { types: string }>;
  };
  const names = Object.keys(exports).map((name) => `parley${name.slice(1)}`);
  const lines = names.map((name) => `console.log("${name}", Object.keys(await import("${name}")).length > 0);`);
  writeFileSync(join(project, "entries.ts"), lines.join("\n"));
  expect(run("entries.ts").trim().split("\n")).toEqual(names.map((name) => `${name} true`));
  for (const { types } of Object.values(exports))
    expect(existsSync(join(project, "node_modules/parley", types)), types).toBe(true);
});
