import { afterEach, expect, it } from "vitest";
import { loadPack } from "../packs/registry.ts";
import { memoryStore } from "../store/sqlite.ts";
import { type ModelServer, startModelServer } from "../../test/support/model-server.ts";
import { verifyRun } from "./verify.ts";
import { castOfStrings } from "./cast.ts";
import { startRun } from "./start.ts";

const opened: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

type Embedded = (texts: string[]) => number[][];

async function setUp(status = 200, embed: Embedded = (texts) => texts.map(({ length }) => [length, 1]), tokens = 7) {
  const server = await startModelServer({
    respond: (request) => {
      const texts = (request as unknown as { input: string[] }).input;
      const data = embed(texts).map((embedding) => ({ embedding }));
      return { raw: { status, body: JSON.stringify({ data, usage: { prompt_tokens: tokens } }) } };
    },
  });
  opened.push(server);
  const store = memoryStore();
  const endpoints = [{ name: "local", base_url: server.baseUrl, prices: { m: { input: 1, output: 1 } } }];
  const setting = { store, castOf: castOfStrings(store, { env: {}, endpoints }) };
  const pack = await loadPack("law");
  const input = "Can a daughter inherit land in Bali?";
  const start = (cast: string, budget = {}) => startRun(setting, { pack, input, cast, budget });
  return { server, store, start };
}

it("a cast's embedder makes the vectors of a case, each text once per store, within the budget", async () => {
  const { server, store, start } = await setUp();
  const { runId, finished } = await start("expert,embedder=local/m");
  expect(server.seen).toMatchObject([{ path: "/v1/embeddings", body: { model: "m" } }]);
  expect(finished.result.spend).toMatchObject({ calls: 1, tokens: 7 });
  expect((await verifyRun(store, runId)).filter(({ ok }) => !ok)).toEqual([]);
  expect((await start("embedder=local/m")).finished.material).toEqual(finished.material);
  expect(server.seen).toHaveLength(1);
  const plain = await start("expert");
  expect(plain.finished.result.spend.calls).toBe(0);
});

it("an embedder that is no model, has no embeddings or fails is said to be so", async () => {
  const { start } = await setUp(404);
  await expect(start("expert,embedder=person")).rejects.toThrow("only a model can embed texts");
  await expect(start("expert,embedder=local/m")).rejects.toThrow(/m: status 404/);
});

it.each<[string, Embedded]>([
  ["too few vectors", (texts) => texts.slice(1).map(() => [1, 0])],
  ["vectors of several lengths", (texts) => texts.map((_, at) => Array.from({ length: at + 1 }, () => 1))],
  ["vectors of no length", (texts) => texts.map(() => [])],
  ["numbers that no vector holds", (texts) => texts.map(() => [1e308, 1])],
])("an embedder that gives %s is refused, and nothing of it is kept", async (_what, embed) => {
  const { store, start } = await setUp(200, embed);
  const kept: unknown[] = [];
  const { putVectors } = store;
  store.putVectors = async (...given) => void kept.push(await putVectors(...given));
  await expect(start("expert,embedder=local/m")).rejects.toThrow("did not give a vector of numbers for each");
  expect(kept).toEqual([]);
});

it("an embedder that counts more tokens than there are bytes is charged for no more, and the run verifies", async () => {
  const { store, start } = await setUp(200, undefined, 1e9);
  const { runId, finished } = await start("expert,embedder=local/m");
  expect(finished.result.spend.tokens).toBeLessThan(100_000);
  expect((await verifyRun(store, runId)).filter(({ ok }) => !ok)).toEqual([]);
});
