import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packNames } from "../src/packs/registry.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { startModelServer } from "./support/model-server.ts";
import { textOfRequest } from "./support/model-server-answer.ts";

type Costs = { calls: number; tokens: number; usd: number | null };
type DryRun = { all: { expected: Costs; most: Costs }; roles: { name: string }[]; notes: string[] };

const question = JSON.stringify({ question: "Which is largest?", choices: ["Mars", "Jupiter"] });

async function dryRun(args: string[], env: Record<string, string> = {}, cwd = newFolder()): Promise<DryRun> {
  const { out, err, code } = await runCli([...args, "--dry-run", "--json"], { cwd, env });
  expect([code, err]).toEqual([0, ""]);
  expect(existsSync(join(cwd, ".parley"))).toBe(false);
  return JSON.parse(out) as DryRun;
}

describe("--dry-run", () => {
  it("says what a run would cost, from an estimate to the worst case, without a key, a store or a call", async () => {
    const { all } = await dryRun(["run", "question", question, "--cast", "openai/gpt-5-mini"]);
    expect(all.expected).toMatchObject({ calls: 3 });
    expect(all.most.calls).toBe(18);
    expect(all.expected.usd ?? 0).toBeGreaterThan(0);
    expect(all.most.usd ?? 0).toBeGreaterThan(all.expected.usd ?? 0);
  });

  it("is never below what the run then spends, also when every turn is repaired and nobody agrees", async () => {
    const server = await startModelServer({
      respond: (request, index) =>
        index % 2 === 0
          ? { content: "no" }
          : { value: { answer: index % 4 === 1 ? "A" : "B", reasoning: `${index}`, confidence: 0.5, quotes: [] } },
    });
    const env = { PARLEY_BASE_URL: server.baseUrl };
    const args = ["run", "question", question, "--cast", "compatible/m", "--set", "order=[analyst, skeptic]"];
    const { all } = await dryRun(args, env);
    const { out } = await runCli([...args, "--json"], { env });
    const { spend } = (JSON.parse(out) as { parley: { spend: Costs } }).parley;
    expect(server.seen).toHaveLength(spend.calls);
    expect(spend.calls).toBeLessThanOrEqual(all.most.calls);
    expect(spend.tokens).toBeLessThanOrEqual(all.most.tokens);
    await server.close();
  });

  it("experts cost nothing, an unknown price is said, and a budget that would stop the run too", async () => {
    const free = await runCli(["run", "question", question, "--dry-run"]);
    expect(free.out).toContain("no model would be called");
    const env = { PARLEY_BASE_URL: "http://127.0.0.1:9/v1" };
    const args = ["run", "question", question, "--cast", "compatible/m", "--budget", "calls=2", "--dry-run"];
    const { out } = await runCli(args, { env });
    expect(out).toContain("price unknown");
    expect(out).toContain("The budget of calls=2 would stop it.");
  });

  it("reckons a file of cases from its first ones and says which lines are none", async () => {
    const cwd = newFolder();
    const lines = [...Array.from({ length: 30 }, () => question), "{}", "nonsense"];
    writeFileSync(join(cwd, "cases.jsonl"), lines.join("\n"));
    const { all, notes } = await dryRun(["run", "question", "--input", "cases.jsonl", "--cast", "openai/m"], {}, cwd);
    expect(all.expected.calls).toBe(90);
    expect(notes.join(" ")).toMatch(/30 cases.*first 25.*2 lines cannot be read/);
  });

  it("reckons a study arm by arm; arms on recorded turns cost nothing", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "cases.jsonl"), `{"id": "a", "input": ${question}, "gold": {"answer": "B"}}`);
    const arms = "arms: [{ name: table }, { name: strict, redecide: table, config: { stop: { agreement: 1 } } }]";
    const study = `study: s\npack: question\ndataset: { path: cases.jsonl }\ncast: compatible/m\n${arms}\nseeds: [1, 2]\n`;
    writeFileSync(join(cwd, "s.yaml"), study);
    const env = { PARLEY_BASE_URL: "http://127.0.0.1:9/v1" };
    const { out, err } = await runCli(["study", "run", "s.yaml", "--dry-run", "--json"], { cwd, env });
    expect(err).toBe("");
    const { arms: rows } = JSON.parse(out) as { arms: { name: string; expected: Costs }[] };
    expect(rows.map(({ name }) => name)).toEqual(["table", "single", "vote", "self_consistency"]);
    expect(rows[0]?.expected.calls).toBe(6);
  });
});

describe("parley run --prompts", () => {
  it.each(packNames)("%s: prints what each role would be sent, and the schema of its reply", async (pack) => {
    const { out, err, code } = await runCli(["run", pack, "--prompts"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^=== \d+\/\w+\/\w+, to openai\/MODEL, about [\d,]+ tokens\n--- system\n/);
    expect(out).toContain("--- schema of the reply\n{");
  });

  it("prints exactly what is then sent", async () => {
    const server = await startModelServer();
    const env = { PARLEY_BASE_URL: server.baseUrl };
    const args = ["--cast", "analyst=compatible/m", "--set", "protocol=single"];
    const { out } = await runCli(["run", "question", question, "--prompts", "--json", ...args], { env });
    await runCli(["run", "question", question, ...args], { env });
    const [seen] = server.seen;
    const shown = JSON.parse(out) as { messages: { text: string }[]; schema: unknown };
    expect(shown.messages.map(({ text }) => text).join("\n")).toBe(seen ? textOfRequest(seen.body) : "");
    expect(shown.schema).toEqual(seen?.body.response_format?.json_schema?.schema);
    await server.close();
  });

  it.each([
    [["run", "questin", "--prompts"], /unknown pack "questin"; did you mean "question"/],
    [["run", "question", "{", "--prompts"], /the case is not valid JSON/],
    [["run", "question", "none.json", "--prompts"], /neither JSON nor a file/],
    [["run", "question", "{}", "--prompts"], /question/],
  ])("%j is refused with what would be right", async (args, message) => {
    const { code, err } = await runCli(args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
