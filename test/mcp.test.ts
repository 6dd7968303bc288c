import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packNames } from "../src/packs/registry.ts";
import { cleanEnv, cliCommand, newFolder, runCli } from "./support/cli.ts";
import { goodContent, type ModelServer, startModelServer } from "./support/model-server.ts";

const client = new Client({ name: "test", version: "0" });
const cwd = newFolder();
let model: ModelServer;
/** Called when a call arrives; the call is answered when it is done. */
let onCall: () => Promise<void> = async () => undefined;
beforeAll(async () => {
  model = await startModelServer({
    latencyMs: 200,
    respond: async (request) => {
      await onCall();
      return { content: goodContent(request) };
    },
  });
  const [command = "", ...args] = cliCommand;
  const env = { ...cleanEnv(), PARLEY_BASE_URL: model.baseUrl };
  await client.connect(
    new StdioClientTransport({ command, args: [...args, "mcp", "--allow-cast", "compatible/m"], cwd, env }),
  );
});
afterAll(async () => {
  await client.close();
  await model.close();
});

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
  expect(debated.structuredContent).toMatchObject({ decided_by: "program", parley: { outcome: "decided" } });
  const { run } = (debated.structuredContent as { parley: { run: string } }).parley;
  expect((await call("show_run", { run })).structuredContent).toMatchObject({ result: { outcome: "decided" } });
  const redecided = await call("redecide_run", { run, set: ["protocol=vote"] });
  expect(redecided.structuredContent).toMatchObject({
    decision: [{ path: "stop_reason", before: "agreement", after: "fixed" }],
  });
});

const log = Array.from(
  { length: 30 },
  (_, n) => `2026-03-01 10:00:${String(n).padStart(2, "0")} ERROR writer: No space left on device`,
).join("\n");

it.each([
  ["debate_question", "Is it so?"],
  ["debate_sentiment", "The soup was cold."],
  ["debate_law", "Siapa ahli waris menurut KUHPerdata?"],
  ["debate_root_cause", log],
])("%s takes plain text, and says what it comes to in a headline", async (name, text) => {
  const answer = await call(name, { text });
  const { parley } = answer.structuredContent as { parley: { run: string; headline: object } };
  expect(Object.keys(parley.headline).length).toBeGreaterThan(0);
  expect((await call("show_run", { run: parley.run })).structuredContent).toMatchObject({ run: { id: parley.run } });
});

it("a client that asks for progress is told of each turn, in order", async () => {
  const heard: { progress: number; message?: string }[] = [];
  const given = { text: "Is it so?", cast: "compatible/m", config: { protocol: "courtroom" } };
  await client.callTool({ name: "debate_question", arguments: given }, undefined, {
    onprogress: (progress) => void heard.push(progress),
  });
  expect(heard.slice(0, 4).map(({ progress }) => progress)).toEqual([1, 2, 3, 4]);
  expect(heard[0]?.message).toMatch(/^1\/opening\/\w+ \w+ by compatible\/m$/);
});

it("a cancelled call stops its debate, and what was recorded can be resumed", async () => {
  const stop = new AbortController();
  const arrived = Promise.withResolvers<void>();
  const forgotten = Promise.withResolvers<void>();
  onCall = async () => {
    arrived.resolve();
    await forgotten.promise;
  };
  const calling = client.callTool(
    { name: "debate_question", arguments: { text: "Is it?", cast: "compatible/m" } },
    undefined,
    { signal: stop.signal },
  );
  await arrived.promise;
  stop.abort("not needed any more");
  await expect(calling).rejects.toThrow();
  await expect
    .poll(async () => (await runCli(["runs"], { cwd })).out)
    .toMatch(/question +interrupted +\[compatible\/m\]/);
  forgotten.resolve();
});

it("takes a document of two million characters", async () => {
  const text = `${"The lake was calm that day. ".repeat(75_000)}Ida Holm sold the mill because the railway came.`;
  const answer = await call("debate_question", {
    input: { question: "Why did Ida Holm sell the mill?", docs: [{ id: "long.txt", text }] },
  });
  expect(answer.structuredContent).toMatchObject({ answer: "Ida Holm sold the mill because the railway came." });
});

it("redecide_run says what flips, and names a turn that was never recorded", async () => {
  const debated = await call("debate_question", { input: { question: "Why did Ida Holm sell the mill?", docs } });
  const { run } = (debated.structuredContent as { parley: { run: string } }).parley;
  expect((await call("redecide_run", { run, set: ["protocol=vote"] })).structuredContent).toMatchObject({
    headline: [{ name: "answer" }],
  });
  const needing = await call("redecide_run", { run, set: ["protocol=courtroom"] });
  expect(needing).toMatchObject({ isError: true });
  expect(needing.content[0]?.text).toContain("1/opening/for");
});

it.each([
  ["debate_question", {}, /give the case as input, or as plain text, and not both/],
  [
    "debate_question",
    { text: "x", input: { question: "x" } },
    /give the case as input, or as plain text, and not both/,
  ],
  ["redecide_run", { run: "zzz", set: [] }, /no run "zzz"/],
  ["debate_question", { input: { question: "" } }, /the question is empty/],
  ["debate_question", { input: { question: "x" }, cats: "expert" }, /unknown key "cats"; did you mean "cast"/],
  ["debate_question", { input: { question: "x" }, cast: "nobody/x" }, /nobody/],
  ["show_run", { run: "zzz" }, /no run "zzz"/],
  ["debate_qestion", {}, /did you mean "debate_question"/],
])("%s %j is an error in words", async (name, given, message) => {
  const answer = await call(name, given);
  expect(answer.isError).toBe(true);
  expect(answer.content[0]?.text).toMatch(message);
});

it("all debates together make no more model calls than the owner allows while it runs", async () => {
  const [command = "", ...args] = cliCommand;
  const limited = new Client({ name: "test", version: "0" });
  const options = ["mcp", "--allow-cast", "compatible/m", "--set", "max_calls=5"];
  const env = { ...cleanEnv(), PARLEY_BASE_URL: model.baseUrl };
  await limited.connect(new StdioClientTransport({ command, args: [...args, ...options], cwd: newFolder(), env }));
  const before = model.seen.length;
  const ask = { name: "debate_question", arguments: { text: "Is it so?", cast: "compatible/m", budget: { calls: 2 } } };
  for (let n = 0; n < 4; n += 1) await limited.callTool(ask);
  expect(model.seen.length - before).toBe(5);
  await limited.close();
});
