import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { cleanEnv, cliCommand, newFolder, runCli } from "./support/cli.ts";

const hasPython = spawnSync("python3", ["-c", "import pty"]).status === 0;
const script = resolve(import.meta.dirname, "support/terminal.py");

/** Types into a command in a real terminal; 99 is the code when not everything could be typed. */
function typeInto(cwd: string, args: string[], keys: [string, string][]) {
  const command = [script, JSON.stringify(keys), ...cliCommand, ...args];
  const env = { ...cleanEnv(), HOME: cwd, TERM: "xterm-256color" };
  const done = spawnSync("python3", command, { cwd, env, encoding: "utf8" });
  return { code: done.status, text: done.stdout };
}

describe.skipIf(!hasPython)("parley review in a terminal", () => {
  it("lets a person choose what waits, answer it field by field, and the run goes on", async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, "docs"));
    writeFileSync(join(cwd, "docs", "sale.md"), "Ida Holm sold the mill because the railway took away its trade.");
    const question = "Why did Ida Holm sell the mill?";
    const cast = ["--cast", "expert,judge=person", "--protocol", "courtroom"];
    expect((await runCli(["ask", question, "--docs", "docs", ...cast], { cwd })).code).toBe(3);
    const { code, text } = typeInto(
      cwd,
      ["review"],
      [
        ["Waiting for you", "\r"],
        ["Why", "The letter says so.\r"],
        ["better case", "\r"],
        ["What is the answer", "\r"],
        ["How sure", "0.9\r"],
      ],
    );
    expect(code, text).toBe(0);
    expect(text).toMatch(/the railway took away its trade\.[\s\S]*confidence 0\.90/);
    expect((await runCli(["review"], { cwd })).out).toBe("nothing waits for a person\n");
    expect((await runCli(["verify", "--all"], { cwd })).code).toBe(0);
  });
});
