/** Players and endpoints that lie about what a call cost. */
import { expect, it } from "vitest";
import { noUsage } from "../../src/contract/budget.ts";
import type { Player } from "../../src/engine/player.ts";
import { castOfStrings } from "../../src/runs/cast.ts";
import { readRun } from "../../src/runs/read-run.ts";
import { startRun } from "../../src/runs/start.ts";
import { verifyRun } from "../../src/runs/verify.ts";
import { memoryStore } from "../../src/store/sqlite.ts";
import { startModelServer } from "../support/model-server.ts";
import { toyPack } from "../support/toy.ts";

it.each([1e9, 9e15, 1e300, -5])(
  "a run whose endpoint says that a call took %d tokens can be read and verifies",
  async (tokens) => {
    const server = await startModelServer({
      respond: () => ({ value: { value: 4 }, usage: { prompt: tokens, completion: tokens } }),
    });
    const store = memoryStore();
    const endpoints = [{ name: "lab", base_url: server.baseUrl }];
    const castOf = castOfStrings(store, { env: {}, endpoints });
    const { runId } = await startRun({ store, castOf }, { pack: toyPack, input: { question: "?" }, cast: "lab/m" });
    await server.close();
    const { result } = await readRun(store, runId);
    expect(result?.outcome).toBe("decided");
    expect(Number.isSafeInteger(result?.spend.tokens)).toBe(true);
    expect((await verifyRun(store, runId, toyPack)).filter(({ ok }) => !ok)).toEqual([]);
  },
);

it.each([
  ["not a number", { calls: 1, tokens: Number.NaN, usd: 0 }],
  ["endless", { calls: 1, tokens: 1, usd: Infinity }],
  ["negative, which would lift a limit", { calls: 1, tokens: -1_000_000, usd: 0 }],
  ["missing, as when a service does not say it", { calls: 1, tokens: 1, usd: undefined }],
  ["of a part of a call", { calls: 0.5, tokens: 1, usd: 0 }],
])("a player that settles a cost that is %s is refused, and what was stored can be read", async (_what, cost) => {
  const store = memoryStore();
  const player: Player = {
    id: "own",
    async play(_role, _input, { reserve }) {
      const { settle } = await reserve({ calls: 1, tokens: 10, usd: 0 });
      settle(cost as never);
      return { reply: { value: { value: 3 } }, usage: { ...noUsage, calls: 1 }, finish: null };
    },
  };
  const begun = startRun(
    { store, castOf: async () => () => player },
    { pack: toyPack, input: { question: "?" }, cast: "m" },
  );
  await expect(begun).rejects.toMatchObject({
    code: "bad_cast",
    message: expect.stringContaining("invalid cost"),
  });
  const [id = ""] = await store.ids();
  expect((await verifyRun(store, id, toyPack)).filter(({ ok }) => !ok)).toEqual([]);
});

it("what a player adds to the figures of a cost is not stored", async () => {
  const store = memoryStore();
  const player: Player = {
    id: "own",
    async play(_role, _input, { reserve }) {
      const cost = { calls: 1, tokens: 10, usd: 0, note: "mine" };
      (await reserve(cost)).settle(cost);
      return { reply: { value: { value: 3 } }, usage: { ...noUsage, calls: 1 }, finish: null };
    },
  };
  const setting = { store, castOf: async () => () => player };
  const { runId } = await startRun(setting, { pack: toyPack, input: { question: "?" }, cast: "m" });
  const { entries } = await readRun(store, runId);
  expect(JSON.stringify(entries)).not.toContain("mine");
  expect((await verifyRun(store, runId, toyPack)).filter(({ ok }) => !ok)).toEqual([]);
});
