/** Telemetry carries no text: a word that is in the case, the documents, the replies and the errors is in no span. */
import * as api from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPackNames, loadPack } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { startRun } from "../src/runs/start.ts";
import { createSpans, type TelemetryOptions } from "../src/runs/telemetry.ts";
import { memoryStore } from "../src/store/memory-store.ts";
import { hostileCases } from "./abuse/hostile-cases.ts";
import { misbehaviours } from "./support/model-server-misbehaviour.ts";
import { goodContent, type ModelServer, type Respond, startModelServer } from "./support/model-server.ts";
import { shareOf } from "./support/share.ts";

const canary = "zyzzyva";
let server: ModelServer;
let respond: Respond = () => ({ content: "{}" });
beforeAll(async () => {
  server = await startModelServer({ respond: (request, index) => respond(request, index) });
});
afterAll(() => server.close());

type Asked = { pack: string; input: unknown; config?: unknown; cast: string; budget?: object };

/** Everything that a collector would be sent of a run, as text. */
async function collect({ pack, input, config, cast, budget }: Asked, options?: TelemetryOptions): Promise<string> {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const onEvent = createSpans(api, provider.getTracer("test"), options);
  const store = memoryStore();
  const env = { PARLEY_BASE_URL: server.baseUrl };
  const castOf = castOfStrings(store, { env, retry: { tries: 1 } });
  await startRun(
    { store, castOf, onEvent },
    { pack: await loadPack(pack), input, config: config ?? {}, cast, seed: 0, budget: budget ?? {} },
  ).catch((error: unknown) => error);
  onEvent.endAll();
  const told = exporter.getFinishedSpans().map(({ name, attributes, status, events }) => ({
    name,
    attributes,
    status,
    events: events.map(({ name: event, attributes: given }) => ({ event, given })),
  }));
  expect(told.length).toBeGreaterThan(0);
  return JSON.stringify(told);
}

describe.each(listPackNames())("the %s pack", (pack) => {
  it("tells nothing of a case in which every text holds the word, and notes in numbers", async () => {
    for (const { input, config } of (await hostileCases[pack]?.(canary)) ?? [])
      expect(await collect({ pack, input, config, cast: "expert" })).not.toContain(canary);
  });

  it("tells nothing of what models say, in replies that are used and in those that are not", async () => {
    const [first] = (await hostileCases[pack]?.(canary)) ?? [];
    for (const answer of [
      (good: string) => good.replaceAll(/"(?:[^"\\]|\\.){12,}"(?!\s*:)/g, `"${canary} ${canary} ${canary}"`),
      () => `{"${canary}": "${canary}"}`,
      () => `I say ${canary} and no JSON`,
    ]) {
      respond = (request) => ({ content: answer(goodContent(request)) });
      const { input, config } = first ?? {};
      expect(await collect({ pack, input, config, cast: "compatible/m" })).not.toContain(canary);
    }
  });
});

it.each(
  shareOf(
    misbehaviours.map(({ name }) => name),
    (_, at) => at % 3 === 0,
  ),
)("an endpoint that does this tells a collector no word: %s", async (name) => {
  const bad = misbehaviours.find((one) => one.name === name);
  respond = (request) => bad?.answer(JSON.stringify({ answer: canary, reasoning: canary }), request) ?? {};
  const input = { question: `Is ${canary} a word?` };
  const budget = { wallMs: 500 };
  const told = await collect({
    pack: "question",
    input,
    config: { protocol: "single" },
    cast: "compatible/m",
    budget,
  });
  expect(told).not.toContain(canary);
});

it("an error body that repeats the case is not told either, and says its code", async () => {
  respond = () => ({ raw: { status: 400, body: JSON.stringify({ error: { message: `${canary} is not allowed` } }) } });
  const told = await collect({ pack: "question", input: { question: `Is ${canary} one?` }, cast: "compatible/m" });
  expect(told).toContain('"error.type":"failed"');
  expect(told).not.toContain(canary);
});

it("words are sent when the configuration says telemetry.content: true", async () => {
  respond = () => ({ raw: { status: 400, body: JSON.stringify({ error: { message: `${canary} is not allowed` } }) } });
  const asked: Asked = { pack: "question", input: { question: `Is ${canary} one?` }, cast: "compatible/m" };
  expect(await collect(asked, { content: true })).toContain(canary);
});
