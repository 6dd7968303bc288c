import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packNames } from "../src/packs/registry.ts";
import { newFolder } from "./support/cli.ts";

const client = new Client({ name: "test", version: "0" });
beforeAll(async () => {
  const entry = resolve(import.meta.dirname, "../src/cli/main.ts");
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ["--disable-warning=ExperimentalWarning", entry, "mcp"],
      cwd: newFolder(),
    }),
  );
});
afterAll(() => client.close());

type Answer = { isError?: boolean; content: { text: string }[]; structuredContent?: Record<string, unknown> };
const call = async (name: string, given: Record<string, unknown>): Promise<Answer> =>
  (await client.callTool({ name, arguments: given })) as Answer;
const docs = [{ id: "a.txt", text: "Ida Holm sold the mill because the railway took away its trade." }];

it("lists a tool a pack, and two for runs, each with a schema", async () => {
  const { tools } = await client.listTools();
  const names = tools.map((tool) => tool.name);
  expect(names.toSorted()).toEqual(
    [...packNames.map((name) => `debate_${name.replaceAll("-", "_")}`), "redecide_run", "show_run"].toSorted(),
  );
  for (const tool of tools) expect(tool.inputSchema.type).toBe("object");
});

it("debates, shows the run and redecides it", async () => {
  const debated = await call("debate_question", { input: { question: "Why did Ida Holm sell the mill?", docs } });
  expect(debated.structuredContent).toMatchObject({ decided_by: "agreement", parley: { outcome: "decided" } });
  const { run } = (debated.structuredContent as { parley: { run: string } }).parley;
  expect((await call("show_run", { run })).structuredContent).toMatchObject({ result: { outcome: "decided" } });
  const redecided = await call("redecide_run", { run, set: ["protocol=vote"] });
  expect(redecided.structuredContent).toMatchObject({
    decision: [{ path: "decided_by", before: "agreement", after: "vote" }, { path: "stop_reason" }],
  });
});

it.each([
  ["debate_question", { input: { question: "" } }, /a question needs text/],
  ["debate_question", { input: { question: "x" }, cats: "expert" }, /unknown key "cats"; did you mean "cast"/],
  ["debate_question", { input: { question: "x" }, cast: "nobody/x" }, /nobody/],
  ["show_run", { run: "zzz" }, /no run "zzz"/],
  ["debate_qestion", {}, /did you mean "debate_question"/],
])("%s %j is an error in words", async (name, given, message) => {
  const answer = await call(name, given);
  expect(answer.isError).toBe(true);
  expect(answer.content[0]?.text).toMatch(message);
});
