/** How much of the code one command executes: what a stranger would have to read to know what it does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "./support/cli.ts";
import { startModelServer } from "./support/model-server.ts";

const hook = resolve(import.meta.dirname, "support/count-modules.mjs");
const entry = resolve(import.meta.dirname, "../src/cli/main.ts");

async function listExecuted(): Promise<string[]> {
  const server = await startModelServer();
  const cwd = newFolder();
  const file = join(cwd, "modules.txt");
  const args = ["ask", "Is tea older than coffee?", "--cast", "compatible/tiny", "--quiet"];
  const child = spawn(process.execPath, ["--import", hook, entry, ...args], {
    cwd,
    env: { ...process.env, PARLEY_MODULES: file, PARLEY_BASE_URL: server.baseUrl, PARLEY_HOME: cwd },
    stdio: "ignore",
  });
  const [code] = await once(child, "exit");
  await server.close();
  expect([0, 3]).toContain(code);
  return readFileSync(file, "utf8").split("\n");
}

const executed = await listExecuted();

it("`parley ask` with a model executes at most 90 modules of src", () => {
  expect(executed).toContain("players/call-model.ts");
  expect(executed.length).toBeLessThanOrEqual(90);
});

it("one turn is followed from the command to the row in at most 25 files with at most 4 returns", () => {
  const plan = readFileSync(resolve(import.meta.dirname, "../ARCHITECTURE.md"), "utf8");
  const path = plan.split("\n").find((line) => line.startsWith("`cli/main`")) ?? "";
  const files = [...path.matchAll(/`([^`]+)`/g)].map(([, name]) => `${name}.ts`);
  expect(files.length).toBeGreaterThan(20);
  expect(files.length).toBeLessThanOrEqual(25);
  expect(path.split("↩").length - 1).toBeLessThanOrEqual(4);
  expect(files.filter((file) => !executed.includes(file))).toEqual([]);
});

it.each([
  ["pack", "Pack", 14],
  ["role", "Role", 7],
] as const)("a %s has few parts", (file, name, most) => {
  const source = readFileSync(resolve(import.meta.dirname, `../src/engine/${file}.ts`), "utf8");
  const [, body = ""] = new RegExp(`export type ${name}<.*? = \\{\\n([\\s\\S]*?)\\n\\};`).exec(source) ?? [];
  const parts = body.match(/^ {2}\w+\??(?:\(|:)/gm) ?? [];
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.length).toBeLessThanOrEqual(most);
});
