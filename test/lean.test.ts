import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, type Ran, runCli } from "./support/cli.ts";
import { startModelServer } from "./support/model-server.ts";

const texts = ["The food was great but the service was slow.", "포장은 꼼꼼한데 향이 너무 약해요."];

async function runTexts(cwd: string, more: string[]): Promise<string> {
  writeFileSync(join(cwd, "texts.txt"), texts.join("\n"));
  const { code, err } = await runCli(["sentiment", "texts.txt", "--out", "out.jsonl", ...more], { cwd });
  expect(code, err).toBe(0);
  return readFileSync(join(cwd, "out.jsonl"), "utf8").replaceAll(/"run(?:_id)?":"[^"]*"/g, "");
}

async function findRun(cwd: string): Promise<string> {
  const { out } = await runCli(["runs", "--json"], { cwd });
  return (JSON.parse(out.split("\n")[0] ?? "") as { id: string }).id;
}

async function expectGood(cwd: string, args: string[]): Promise<Ran> {
  const ran = await runCli(args, { cwd });
  expect(ran.code, `${args.join(" ")}: ${ran.err}`).toBe(0);
  return ran;
}

describe("a lean run", () => {
  it("decides as any other, in less room, and every tool takes it", async () => {
    const [whole, cwd] = [newFolder(), newFolder()];
    expect(await runTexts(cwd, ["--lean"])).toBe(await runTexts(whole, []));
    const id = await findRun(cwd);
    expect((await expectGood(cwd, ["verify", id])).out).toMatch(/were not kept/);
    const sizeOf = async (folder: string): Promise<number> => {
      const { out } = await expectGood(folder, ["store", "info", "--json"]);
      return (JSON.parse(out) as { fileBytes: number }).fileBytes;
    };
    expect(await sizeOf(cwd)).toBeLessThan(await sizeOf(whole));
    const [turn = ""] = (await expectGood(cwd, ["show", id, "--turns"])).out.trim().split(/\s+/);
    expect((await expectGood(cwd, ["show", id, "--turn", turn])).out).toContain("(not kept: the run is lean");
    for (const format of ["json", "html", "md"]) await expectGood(cwd, ["export", id, "--format", format]);
    expect((await expectGood(cwd, ["redecide", id, "--set", "debate_override.profile=t2"])).out).toContain(id);
    await expectGood(cwd, ["branch", id, "--from", "round-1"]);
    await expectGood(cwd, ["export", id, "--proof", "proof.json"]);
    await expectGood(cwd, ["store", "copy", ".parley", "copy"]);
    await expectGood(cwd, ["verify", "--all", "--store", "copy"]);
    await expectGood(cwd, ["verify", "--all"]);
  });

  it("keeps the prompts that a model was sent", async () => {
    const server = await startModelServer();
    const cwd = newFolder();
    writeFileSync(
      join(cwd, "parley.config.yaml"),
      `endpoints:\n  - name: compatible\n    base_url: ${server.baseUrl}\n`,
    );
    await runCli(["run", "question", '{"question": "Which way?"}', "--lean", "--cast", "compatible/m"], { cwd });
    await server.close();
    const id = await findRun(cwd);
    const [turn = ""] = (await expectGood(cwd, ["show", id, "--turns"])).out.trim().split(/\s+/);
    expect((await expectGood(cwd, ["show", id, "--turn", turn])).out).toContain("Which way?");
    expect((await expectGood(cwd, ["verify", id])).out).not.toMatch(/were not kept/);
  });
});
