import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
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
    const reading = { text: "Cold coffee.", config: { learnt: { en: "/etc/hostname" } } };
    const unread = (await client.callTool({ name: "debate_sentiment", arguments: reading })) as Answer;
    expect([unread.isError, unread.content[0]?.text]).toEqual([true, expect.stringContaining("only the owner")]);
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
