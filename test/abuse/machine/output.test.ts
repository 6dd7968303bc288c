import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../../src/cli/commands.ts";
import { newFolder, type Ran, runCli, spawnCli } from "../../support/cli.ts";
import { shareOf } from "../../support/share.ts";
import { expectPlain, newestRun } from "../../support/ten-calls.ts";

/** What each command is tried with; one that is missing here fails the first test below. */
const tries: Record<string, string[]> = {
  demo: ["demo", "question"],
  ask: ["ask", "Why did Ida Holm sell the mill?", "--docs", "sale.md"],
  sentiment: ["sentiment", "Great coffee, slow service"],
  law: ["law", "explain", "Apakah pusako tinggi boleh dijual?"],
  rca: ["rca", "app.log"],
  kg: ["kg", "list", "--json"],
  run: ["run", "question", '{"question": "Why?"}'],
  runs: ["runs"],
  show: ["show", "RUN"],
  resume: ["resume", "RUN"],
  redecide: ["redecide", "RUN", "--set", "stop.agreement=0.6"],
  branch: ["branch", "RUN", "--from", "round-1"],
  verify: ["verify", "--all"],
  export: ["export", "RUN", "--format", "html"],
  study: ["study", "list"],
  store: ["store", "info"],
  review: ["review"],
  worker: ["worker", "--help"],
  new: ["new", "--help"],
  doctor: ["doctor"],
  mcp: ["mcp"],
  completion: ["completion", "bash"],
  serve: ["serve", "--help"],
};
const initialize = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "0" } },
})}\n`;

let cwd = "";
let ids = { RUN: "", OTHER: "" };
beforeAll(async () => {
  cwd = newFolder();
  writeFileSync(join(cwd, "sale.md"), "Ida Holm sold the mill because the railway took away its trade.");
  const line = (i: number): string => `2024-03-01 10:00:${i % 60} ERROR Pump: pressure ${i} lost, valve ${i % 7} shut`;
  writeFileSync(join(cwd, "app.log"), Array.from({ length: 200 }, (_, i) => line(i)).join("\n"));
  const ask = tries.ask ?? [];
  await runCli(ask, { cwd });
  const OTHER = (await newestRun(cwd))?.run.id ?? "";
  await runCli([...ask, "--set", "protocol=vote"], { cwd });
  ids = { RUN: (await newestRun(cwd))?.run.id ?? "", OTHER };
});

const argsOf = (name: string): string[] => (tries[name] ?? []).map((arg) => ids[arg as keyof typeof ids] ?? arg);

/** Runs a command with its output redirected by a shell; the exit code is the command's own. */
function redirected(args: string[], where: string, folder = cwd): Promise<Ran> {
  const through = ["bash", "-c", `"$@" ${where}; exit \${PIPESTATUS[0]}`, "bash"];
  return spawnCli(args, { cwd: folder, through, stdin: args[0] === "mcp" ? initialize : "" }).ran;
}

const names = Object.keys(commands);

it("every command is tried", () => {
  expect(names.filter((name) => tries[name] === undefined)).toEqual([]);
});

describe.concurrent("output that goes nowhere", { concurrent: true }, () => {
  it.each(shareOf(names, (_, index) => index % 8 === 0))(
    "%s | true: as with a reader, without a word; > /dev/full: said, and exit code 1",
    async (name) => {
      const args = argsOf(name);
      const expected = name === "mcp" ? 0 : (await runCli(args, { cwd })).code;
      const closed = await redirected(args, "| true");
      expectPlain(closed.err);
      expect(closed.err).not.toMatch(/EPIPE|could not be written/);
      expect({ name, code: closed.code }).toEqual({ name, code: expected });
      const full = await redirected(args, "> /dev/full");
      expectPlain(full.err);
      expect(full.err).toMatch(/the output could not be written: ENOSPC/);
      expect({ name, code: full.code }).toEqual({ name, code: 1 });
    },
  );

  it("a debate whose output nobody reads is kept whole", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "sale.md"), readFileSync(join(cwd, "sale.md")));
    expect(await redirected(tries.ask ?? [], "2>&1 | true", folder)).toMatchObject({ code: 0 });
    const [line = ""] = (await runCli(["runs"], { cwd: folder })).out.split("\n");
    expect(line).toContain("decided");
    expect((await runCli(["verify", "--all"], { cwd: folder })).code).toBe(0);
  });

  it.each(["2>/dev/full", "2>&-", ">&- 2>&-", "2> >(true)"])(
    "errors that go nowhere (%s) change nothing",
    async (where) => {
      expect((await redirected(["show", "nobody"], where)).code).toBe(2);
    },
  );

  it("a batch stops when its reader goes, and the same line goes on", async () => {
    const folder = newFolder();
    const rows = Array.from({ length: 400 }, (_, i) =>
      JSON.stringify({ id: `c${i}`, question: `Why ${i}?`, docs: [] }),
    );
    writeFileSync(join(folder, "cases.jsonl"), rows.join("\n"));
    const args = ["run", "question", "--input", "cases.jsonl", "--set", "protocol=vote"];
    const { code, out, err } = await redirected(args, "| head -1", folder);
    expect(out.trim().split("\n")).toHaveLength(1);
    expect(code, err).toBe(141);
    expect(err).toMatch(/the output was closed, so Parley stopped\n.*Run the same command again/);
    expectPlain(err);
    const done = (await runCli(["runs", "--limit", "1000"], { cwd: folder })).out.trim().split("\n");
    expect(done.length).toBeLessThan(400);
    expect(done.filter((line) => line.includes("unfinished"))).toEqual([]);
    expect((await runCli(args, { cwd: folder })).err).toContain(`400 cases · ${done.length} done before`);
  });
});
