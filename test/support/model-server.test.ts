import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { misbehaviours } from "./model-server-misbehaviour.ts";
import { until } from "./server.ts";
import { byRules, type ModelServer, queue, startModelServer } from "./model-server.ts";

const opened: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

const schema = {
  type: "object",
  properties: { answer: { type: "string" }, sure: { type: "number", description: "(minimum 0, maximum 1)" } },
  required: ["answer", "sure"],
  additionalProperties: false,
};
const ask = (text: string, extra: object = {}) => ({
  model: "m",
  messages: [{ role: "user", content: text }],
  response_format: { type: "json_schema", json_schema: { name: "reply", strict: true, schema } },
  ...extra,
});

async function server(options: Parameters<typeof startModelServer>[0] = {}): Promise<ModelServer> {
  const started = await startModelServer(options);
  opened.push(started);
  return started;
}

function post(baseUrl: string, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function contentOf(response: Response): Promise<string> {
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? "";
}

describe("the loopback model server", () => {
  test("answers with a sample of the schema, the same for the same request, and records what it saw", async () => {
    const { baseUrl, seen } = await server();
    const first = await contentOf(await post(baseUrl, ask("one")));
    const again = await contentOf(await post(baseUrl, ask("one")));
    const other = await contentOf(await post(baseUrl, ask("two")));
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    expect(Object.keys(JSON.parse(first) as object)).toEqual(["answer", "sure"]);
    expect(seen.map((one) => [one.completed, one.status])).toEqual([
      [true, 200],
      [true, 200],
      [true, 200],
    ]);
    expect(seen[0]?.body.response_format?.json_schema?.schema).toEqual(schema);
  });

  test("streams the same text that it would send at once, with usage when asked", async () => {
    const { baseUrl } = await server({
      respond: () => ({ content: "héllo 안녕 wörld", usage: { prompt: 9, completion: 4, cached: 8 } }),
    });
    const response = await post(baseUrl, ask("x", { stream: true, stream_options: { include_usage: true } }));
    const lines = (await response.text()).split("\n\n").filter((line) => line !== "" && !line.endsWith("[DONE]"));
    const chunks = lines.map((line) => JSON.parse(line.slice("data: ".length)) as Chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("héllo 안녕 wörld");
    expect(chunks.at(-1)?.usage?.prompt_tokens_details.cached_tokens).toBe(8);
  });

  test("answers from a queue, and by rules that match the request's text a number of times", async () => {
    const queued = await server({ respond: queue([{ content: "a" }, { content: "b" }]) });
    expect(await contentOf(await post(queued.baseUrl, ask("x")))).toBe("a");
    expect(await contentOf(await post(queued.baseUrl, ask("x")))).toBe("b");
    expect((await post(queued.baseUrl, ask("x"))).status).toBe(500);
    const ruled = await server({
      respond: byRules([
        { match: "judge", times: 1, content: "J" },
        { match: "judge", content: "K" },
      ]),
    });
    expect(await contentOf(await post(ruled.baseUrl, ask("the judge")))).toBe("J");
    expect(await contentOf(await post(ruled.baseUrl, ask("the judge")))).toBe("K");
  });

  test("knows which requests were completed and which the client left", async () => {
    const { baseUrl, seen } = await server({
      respond: (_, index) => (index === 0 ? { latencyMs: 60_000 } : { content: "x" }),
    });
    const leaving = new AbortController();
    const left = post(baseUrl, ask("x"), leaving.signal);
    await until(() => seen.length > 0);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await contentOf(await post(baseUrl, ask("x")));
    await until(() => seen[0]?.endedMs !== null);
    expect(seen.map((one) => one.completed)).toEqual([false, true]);
  });

  test.each(misbehaviours.map((one) => [one.name, one] as const))("can misbehave: %s", async (_, one) => {
    for (const stream of [false, true]) {
      const { baseUrl, seen } = await server({ rules: [{ misbehave: one.name }] });
      const patience = new AbortController();
      if (one.name.startsWith("hang")) void until(() => seen.length > 0).then(() => patience.abort());
      const outcome = await post(baseUrl, ask("x", { stream }), patience.signal)
        .then(
          (response) => response.text().then((text) => (response.ok ? text : `status ${response.status}`)),
          () => "broken",
        )
        .catch(() => "broken");
      if (one.consequence === "text") expect(outcome).toMatch(/"choices":\[\{"index":0/);
      if (one.consequence === "retry") expect(outcome).toMatch(/^(broken|status (429|500|502|503))$/);
      expect(seen).toHaveLength(1);
    }
  });

  test("runs as its own process, takes rules and tells what it saw, also in a file", async () => {
    const log = join(mkdtempSync(join(tmpdir(), "model-server-")), "log.jsonl");
    const script = fileURLToPath(new URL("./model-server.ts", import.meta.url));
    const child = spawn(process.execPath, [script, "--port", "0", "--log", log], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const line = await new Promise<string>((done) =>
        child.stdout.once("data", (data: Buffer) => done(data.toString())),
      );
      const { baseUrl } = JSON.parse(line) as { baseUrl: string };
      const root = baseUrl.replace(/\/v1$/, "");
      await fetch(`${root}/_rules`, { method: "POST", body: JSON.stringify([{ match: "x", content: "ruled" }]) });
      expect(await contentOf(await post(baseUrl, ask("x")))).toBe("ruled");
      expect(await (await fetch(`${root}/_seen`)).json()).toMatchObject([{ index: 0, completed: true, status: 200 }]);
      const events = readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((text) => (JSON.parse(text) as { event: string }).event);
      expect(events).toEqual(["start", "end"]);
    } finally {
      child.kill();
    }
  });
});

type Chunk = {
  choices: { delta: { content?: string } }[];
  usage?: { prompt_tokens_details: { cached_tokens: number } };
};
