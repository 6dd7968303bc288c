import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { spawnCli } from "./support/cli.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

type Span = {
  name: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
};
const spans: Span[] = [];
const collector = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(parts).toString()) as {
      resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
    };
    spans.push(...body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
    response.end("{}");
  });
});
let model: ModelServer;
let endpoint = "";
const attributesOf = (span: Span | undefined): Record<string, unknown> =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]));

beforeAll(async () => {
  model = await startModelServer({
    respond: () => ({
      value: { answer: "yes", reasoning: "so", confidence: 1, quotes: [] },
      usage: { prompt: 100, completion: 20 },
    }),
  });
  await new Promise<void>((done) => collector.listen(0, "127.0.0.1", done));
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await model.close();
  collector.close();
});

it("a configured collector gets a span a run, a turn and a call, with the GenAI attributes", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, PARLEY_BASE_URL: model.baseUrl };
  const { code, err } = await spawnCli(["ask", "Is it?", "--cast", "compatible/m", "--protocol", "vote"], { env }).ran;
  expect(code, err).toBe(0);
  const run = spans.find((span) => span.name === "invoke_workflow question");
  const agents = spans.filter((span) => span.name.startsWith("invoke_agent "));
  const calls = spans.filter((span) => span.name === "chat m");
  expect(agents.map((span) => span.name).toSorted()).toEqual([
    "invoke_agent analyst",
    "invoke_agent generalist",
    "invoke_agent skeptic",
  ]);
  expect(new Set(agents.map((span) => span.parentSpanId))).toEqual(new Set([run?.spanId]));
  expect(calls).toHaveLength(3);
  expect(attributesOf(run)).toMatchObject({
    "gen_ai.operation.name": "invoke_workflow",
    "gen_ai.workflow.name": "question",
    "gen_ai.conversation.id": expect.stringMatching(/-/),
    "parley.outcome": "decided",
  });
  expect(attributesOf(calls[0])).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "compatible",
    "gen_ai.request.model": "m",
    "gen_ai.output.type": "json",
    "gen_ai.usage.input_tokens": 100,
    "gen_ai.usage.output_tokens": 20,
  });
});

it("experts are agents that call nobody; a run that does not end is told as an error", async () => {
  spans.length = 0;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const { code } = await spawnCli(["ask", "Is it?", "--cast", "expert,judge=person", "--protocol", "courtroom"], {
    env,
  }).ran;
  expect(code).toBe(3);
  expect(spans.filter((span) => span.name.startsWith("chat"))).toEqual([]);
  expect(spans.filter((span) => span.name.startsWith("invoke_agent "))).toHaveLength(4);
  const run = spans.find((span) => span.name === "invoke_workflow question");
  expect(attributesOf(run)).toMatchObject({ "error.type": "interrupted" });
});

it("the spans of a turn lie inside the time of its run", async () => {
  spans.length = 0;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, PARLEY_BASE_URL: model.baseUrl };
  await spawnCli(["ask", "Is it?", "--cast", "compatible/m", "--protocol", "single"], { env }).ran;
  const run = spans.find((span) => span.name.startsWith("invoke_workflow"));
  // Times are read from two clocks, between which a busy machine may do other things.
  const slack = 5_000_000_000n;
  for (const span of spans) {
    expect(BigInt(span.startTimeUnixNano) >= BigInt(run?.startTimeUnixNano ?? 0) - slack).toBe(true);
    expect(BigInt(span.endTimeUnixNano) <= BigInt(run?.endTimeUnixNano ?? 0) + slack).toBe(true);
  }
});

it("a collector that is not there costs no result", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  const { code, out, err } = await spawnCli(["ask", "Is it?", "--protocol", "single"], { env }).ran;
  expect(code).toBe(3);
  expect(err).toMatch(/the collector did not take the spans: .*ECONNREFUSED/);
  expect(out).toContain("Is it?");
});

it("without a collector nothing of OpenTelemetry is loaded", async () => {
  const { err } = await spawnCli(["ask", "Is it?"], { env: { NODE_DEBUG: "module,esm" } }).ran;
  expect(err).toMatch(/\/(?:src\/cli\/main\.ts|dist\/cli\.js)/);
  expect(err).not.toContain("/node_modules/@opentelemetry/");
});

it("a machine without OpenTelemetry's packages is told which to install, and the debate goes on", async () => {
  const hide = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) {
      if (!name.startsWith("@opentelemetry/")) return next(name, context);
      throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
    } });`;
  const node = ["--import", `data:text/javascript,${encodeURIComponent(hide)}`];
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const { code, out, err } = await spawnCli(["sentiment", "The food was great."], { env, node }).ran;
  expect(code, err).toBe(0);
  expect(out).toContain("food");
  expect(err).toContain("telemetry needs packages that are not installed: npm install @opentelemetry/api");
});
