import fc from "fast-check";
import { expect, test } from "vitest";
import type { JournalEntry } from "../src/contract/journal.ts";
import { createMemoryJournal } from "../src/engine/journal.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { buildCast, parseCast, listUnpricedPlayers } from "../src/players/cast.ts";
import { createRateLimiters } from "../src/players/rate-limiter.ts";
import { hastyClock } from "./support/clock.ts";
import type { Answer } from "./support/model-server-answer.ts";
import { misbehaviours } from "./support/model-server-misbehaviour.ts";
import { goodContent, startModelServer } from "./support/model-server.ts";
import { toyPack } from "./support/toy.ts";

const quick = misbehaviours.filter((one) => !one.name.startsWith("hang") && one.name !== "slow");
const speakers = ["a", "b", "c"];
const price = { input: 3, output: 15 };

test("whatever models and endpoints do, no debate spends more calls, tokens or dollars than its budget", async () => {
  const trouble = fc.option(fc.constantFrom(...quick), { freq: 2, nil: null });
  const budget = fc.record(
    {
      calls: fc.nat(12),
      tokens: fc.integer({ min: 0, max: 30_000 }),
      usd: fc.double({ min: 0, max: 0.1, noNaN: true }),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(trouble, { minLength: 1, maxLength: 8 }), budget, async (troubles, limits) => {
      const billed = { calls: 0, tokens: 0 };
      const server = await startModelServer({
        respond(request, index) {
          const usage = { prompt: 150, completion: 40 };
          const one = troubles[index % troubles.length] ?? null;
          const good = goodContent(request);
          const answer: Answer = { usage, ...(one === null ? { content: good } : one.answer(good, request)) };
          billed.calls += 1;
          if ((answer.raw?.status ?? 200) < 400) billed.tokens += usage.prompt + usage.completion;
          return answer;
        },
      });
      try {
        const options = {
          env: { PARLEY_BASE_URL: server.baseUrl },
          prices: { m: price },
          settings: { maxOutputTokens: 100 },
          retry: { sleep: async () => undefined },
          limiters: createRateLimiters(hastyClock()),
        };
        const entries: JournalEntry[] = [];
        const { result } = await runDebate({
          pack: toyPack,
          input: { question: "How many?" },
          config: { rounds: 2, speakers },
          cast: buildCast(parseCast("compatible/m", speakers), options),
          budget: limits,
          journal: createMemoryJournal(entries),
        });
        const { calls, tokens, usd } = result.spend;
        expect(calls).toBeLessThanOrEqual(limits.calls ?? Infinity);
        expect(tokens).toBeLessThanOrEqual(limits.tokens ?? Infinity);
        expect(usd ?? Infinity).toBeLessThanOrEqual((limits.usd ?? Infinity) + 1e-9);
        expect(billed.calls).toBeLessThanOrEqual(calls);
        expect(billed.tokens).toBeLessThanOrEqual(tokens);
        if (result.outcome === "budget_exhausted") expect(result.spend.refused.length).toBeGreaterThan(0);
      } finally {
        await server.close();
      }
    }),
    { numRuns: 40 },
  );
});

test("a dollar budget can be refused before a model whose price nobody knows is asked", () => {
  const env = { PARLEY_BASE_URL: "http://127.0.0.1:9/v1" };
  expect(listUnpricedPlayers(parseCast("compatible/m", speakers), { env })).toEqual(["compatible/m"]);
  expect(listUnpricedPlayers(parseCast("compatible/m", speakers), { env, prices: { m: price } })).toEqual([]);
});
