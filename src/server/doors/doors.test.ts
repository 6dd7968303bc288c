import { EventSchema } from "@ag-ui/core/schemas";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import {
  host,
  openTestServer,
  operatorToken,
  readerToken,
  type TestServer,
  until,
} from "../../../test/support/server.ts";
import { packNames } from "../../packs/registry.ts";

const docs = [{ id: "a.txt", text: "Ida Holm sold the mill because the railway took away its trade." }];
const input = { question: "Why did Ida Holm sell the mill?", docs };
const cast = "expert,judge=person";

async function connect({ app }: TestServer): Promise<Client> {
  const client = new Client({ name: "test", version: "0" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://${host}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${operatorToken}` } },
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set("host", host);
      return app.request(String(url), { ...init, headers });
    },
  });
  await client.connect(transport);
  return client;
}

type Answer = {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: { parley: Record<string, unknown> };
};

describe("MCP over HTTP", () => {
  it("has the tools of the stdio door, and its debates are ordinary runs of the server", async () => {
    const server = openTestServer();
    const client = await connect(server);
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(packNames.map((name) => `debate_${name.replaceAll("-", "_")}`)),
    );
    const turns: string[] = [];
    const onprogress = ({ message }: { message?: string }): void => void turns.push(message ?? "");
    const done = (await client.callTool({ name: "debate_question", arguments: { input } }, undefined, {
      onprogress,
    })) as Answer;
    expect(done.structuredContent?.parley).toMatchObject({ outcome: "decided" });
    expect(turns.length).toBeGreaterThan(2);
    expect((await server.get("/api/runs")).json.runs[0].id).toBe(done.structuredContent?.parley.run);
  });

  it("starts a debate in the background, to be looked at again", async () => {
    const server = openTestServer();
    const client = await connect(server);
    const { structuredContent } = (await client.callTool({
      name: "debate_question",
      arguments: { input, background: true },
    })) as Answer;
    const run = structuredContent?.parley.run as string;
    expect(structuredContent?.parley.status).toBe("running");
    await until(() => !server.server.live.has(run));
    const shown = (await client.callTool({ name: "show_run", arguments: { run } })) as unknown as {
      structuredContent: { result: object };
    };
    expect(shown.structuredContent.result).toMatchObject({ outcome: "decided" });
  });

  it("lifts no limit of the owner, shows no run that was started elsewhere, and survives a message that is too large", async () => {
    const server = openTestServer({ config: { budget: { calls: 20 } }, rules: { maxBodyBytes: 10_000 } });
    const elsewhere = (await server.post("/api/runs", { pack: "question", input })).json.id as string;
    await until(() => !server.server.live.has(elsewhere));
    const client = await connect(server);
    const call = async (name: string, given: object): Promise<Answer> =>
      (await client.callTool({ name, arguments: { ...given } })) as Answer;
    expect((await call("debate_question", { input, budget: { calls: 21 } })).content[0]?.text).toContain(
      "owner allows",
    );
    expect((await call("show_run", { run: elsewhere })).content[0]?.text).toContain("was started here");
    await expect(call("debate_question", { text: "x".repeat(20_000) })).rejects.toThrow(/too_large|10000 bytes/);
    const { structuredContent } = await call("debate_question", { input });
    const own = await connect(server);
    const shown = (await own.callTool({
      name: "show_run",
      arguments: { run: structuredContent?.parley.run },
    })) as Answer;
    expect(shown.isError).toBeUndefined();
    const open = await connect(openTestServer({ store: server.store, rules: { mcpAllRuns: true } }));
    expect(
      ((await open.callTool({ name: "show_run", arguments: { run: elsewhere } })) as Answer).isError,
    ).toBeUndefined();
  });

  it("is bound by the owner's casts, and guarded as everything is", async () => {
    const server = openTestServer();
    const client = await connect(server);
    const refused = (await client.callTool({
      name: "debate_question",
      arguments: { input, cast: "openai/gpt-5-mini" },
    })) as Answer;
    expect([refused.isError, refused.content[0]?.text]).toEqual([true, expect.stringContaining("--allow-cast")]);
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    expect((await server.post("/mcp", body, { token: null })).status).toBe(401);
    expect((await server.post("/mcp", body, { token: readerToken })).status).toBe(403);
    expect((await server.post("/mcp", body, { headers: { host: "evil.example" } })).status).toBe(421);
    expect((await server.post("/mcp", body, { headers: { origin: "https://evil.example" } })).status).toBe(403);
    expect((await server.post("/mcp", body, { headers: { "content-type": "text/plain" } })).status).toBe(415);
    expect((await server.get("/mcp", { headers: { "last-event-id": "1" } })).status).toBe(405);
    expect((await openTestServer({ rules: { blind: true } }).post("/mcp", body)).status).toBe(403);
  });
});

describe("a debate as an MCP task", () => {
  const begin = async (client: Client, given: object): Promise<string> => {
    const params = { name: "debate_question", arguments: { input, ...given } };
    for await (const message of client.experimental.tasks.callToolStream(params, undefined, { task: {} })) {
      if (message.type === "error") throw message.error;
      if (message.type === "taskCreated") return message.task.taskId;
    }
    throw new Error("no task was made");
  };

  it("is begun, asked for, listed and ends with what the tool would have said; its id is the run's", async () => {
    const server = openTestServer();
    const client = await connect(server);
    const { tasks } = client.experimental;
    const id = await begin(client, {});
    const result = (await tasks.getTaskResult(id, CallToolResultSchema)) as Answer;
    expect(result.structuredContent?.parley).toMatchObject({ run: id, outcome: "decided" });
    const other = (await connect(server)).experimental.tasks;
    expect(await other.getTask(id)).toMatchObject({ taskId: id, status: "completed", statusMessage: "decided" });
    expect((await other.listTasks()).tasks.map(({ taskId }) => taskId)).toEqual([id]);
    const listed = (await client.listTools()).tools.find(({ name }) => name === "debate_question");
    expect(listed?.execution).toEqual({ taskSupport: "optional" });
  });

  it("whose turn is a person's requires input, says what is asked, and goes on with the answer", async () => {
    const server = openTestServer({ rules: { casts: [cast] } });
    const client = await connect(server);
    const { tasks } = client.experimental;
    const id = await begin(client, { cast, config: { judge: true } });
    await until(async () => (await tasks.getTask(id)).status === "input_required");
    expect((await tasks.getTask(id)).statusMessage).toContain("answer_turn");
    const answer = async (given: object): Promise<Answer> =>
      (await client.callTool({ name: "answer_turn", arguments: { run: id, ...given } })) as Answer;
    const asked = (await answer({})).structuredContent as unknown as { turn: string; schema: { required: string[] } };
    expect(asked.turn).toContain("judge");
    expect(asked.schema.required).toContain("answer");
    expect((await answer({ reply: { nonsense: 1 } })).structuredContent).toMatchObject({ state: "refused" });
    await server.post(`/api/reviews/${id}/claim`, { reviewer: "ada" });
    expect((await answer({ reply: null })).content[0]?.text).toContain("ada is reviewing");
    await server.post(`/api/reviews/${id}/release`, { reviewer: "ada" });
    expect((await answer({ reply: null })).structuredContent).toMatchObject({ state: "resumed" });
    expect((await tasks.getTask(id)).status).toBe("completed");
  });

  it("can be stopped, is bound by the owner's limits, and is nobody else's", async () => {
    const server = openTestServer({ rules: { casts: [cast, "expert"], maxRuns: 1 }, config: { budget: { calls: 9 } } });
    const client = await connect(server);
    const { tasks } = client.experimental;
    const ids = await Promise.all([begin(client, { cast: "expert" }), begin(client, { cast: "expert" })]);
    const stopped = await Promise.all(ids.map((id) => tasks.cancelTask(id).catch(() => null)));
    expect(stopped.map((one) => one?.status ?? "completed")).toContain("cancelled");
    await expect(begin(client, { budget: { calls: 10 } })).rejects.toThrow(/owner allows/);
    await expect(begin(client, { cast: "person" })).rejects.toThrow(/--allow-cast/);
    const elsewhere = (await server.post("/api/runs", { pack: "question", input, cast: "expert" })).json.id as string;
    await expect(tasks.getTask(elsewhere)).rejects.toThrow(/not found/);
    await expect(tasks.getTaskResult(elsewhere, CallToolResultSchema)).rejects.toThrow(/not found/);
    await expect(tasks.cancelTask(elsewhere)).rejects.toThrow(/not found/);
  });
});

// oxlint-disable-next-line typescript/no-explicit-any
type Told = any[];

async function converse(server: TestServer, body: object): Promise<Told> {
  const response = await server.send("POST", "/ag-ui", {
    body: { threadId: "t", runId: "r", messages: [], tools: [], context: [], ...body },
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const events = text
    .trim()
    .split("\n\n")
    .map((part) => JSON.parse(part.slice("data: ".length)) as unknown);
  for (const event of events) expect(EventSchema.safeParse(event).error?.issues).toBeUndefined();
  return events as Told;
}

describe("AG-UI", () => {
  it("tells rounds as steps, turns as messages and the decision as state", async () => {
    const server = openTestServer();
    const events = await converse(server, { forwardedProps: { pack: "question", input } });
    const types = events.map(({ type }) => type as string);
    expect([types[0], types.at(-1)]).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    expect(types.filter((type) => type === "STEP_STARTED").length).toBe(
      types.filter((type) => type === "STEP_FINISHED").length,
    );
    expect(types).toContain("TEXT_MESSAGE_CONTENT");
    const state = events.find(({ type }) => type === "STATE_SNAPSHOT").snapshot;
    expect(state).toMatchObject({ outcome: "decided" });
    expect((await server.store.get(state.run))?.outcome).toBe("decided");
  });

  it("a person's turn is an interrupt with the schema of its answer, and resuming answers it", async () => {
    const server = openTestServer({ rules: { casts: ["expert", cast] } });
    const forwardedProps = { pack: "question", input, cast, config: { protocol: "courtroom" } };
    const { outcome } = (await converse(server, { forwardedProps })).at(-1);
    expect(outcome).toMatchObject({
      type: "interrupt",
      interrupts: [{ reason: "person_turn", responseSchema: { type: "object" } }],
    });
    const interruptId = outcome.interrupts[0].id as string;
    const wrong = (
      await converse(server, { resume: [{ interruptId, status: "resolved", payload: { answer: 1 } }] })
    ).at(-1);
    expect(wrong.outcome.type).toBe("interrupt");
    const payload = { answer: "The railway.", winner: 1, reasoning: "The letter says so.", confidence: 0.9 };
    const events = await converse(server, { resume: [{ interruptId, status: "resolved", payload }] });
    expect(events.at(-1).result).toMatchObject({ run: interruptId, outcome: "decided" });
  });

  it("takes the user's last words as the case, and says what is wrong", async () => {
    const server = openTestServer();
    const messages = [{ id: "1", role: "user", content: "Cold coffee, kind barista." }];
    const events = await converse(server, { messages, forwardedProps: { pack: "sentiment" } });
    expect(events.at(-1).result.outcome).toBe("decided");
    expect((await server.post("/ag-ui", { nonsense: 1 })).json.code).toBe("bad_input");
    const body = {
      threadId: "t",
      runId: "r",
      messages,
      tools: [],
      context: [],
      forwardedProps: { pack: "law", cast: "openai/x" },
    };
    expect((await server.post("/ag-ui", body)).json.code).toBe("bad_cast");
    expect((await server.post("/ag-ui", body, { token: readerToken })).status).toBe(403);
    expect((await converse(server, { resume: [{ interruptId: "../x", status: "resolved" }] })).at(-1).type).toBe(
      "RUN_ERROR",
    );
  });
});
