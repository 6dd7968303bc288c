import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresPrograms, sayWithoutPostgres, startPostgres, type TestPostgres } from "../../test/support/postgres.ts";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import { runDebate } from "../engine/run-debate.ts";
import { openPostgres, openStoreOn, type PostgresDatabase } from "../store/postgres.ts";
import { dayBudget, type Store } from "../store/store.ts";
import { migrateFleet } from "./fleet.ts";
import { budgetOfBatch, StoredBudgets, withBudgets } from "../runs/budgets.ts";
import { type Grant, reachMs, createPostgresLimits } from "./shared-limiters.ts";
import { createSlotWindow } from "../../test/support/slot-window.ts";

if (postgresPrograms === null) sayWithoutPostgres();

describe.skipIf(postgresPrograms === null)("limits in the database", () => {
  let server: TestPostgres;
  let database: PostgresDatabase;
  let store: Store;
  beforeAll(async () => {
    server = await startPostgres();
    const address = server.newSchema();
    await migrateFleet(address);
    database = openPostgres(address);
    store = await openStoreOn(database);
  });
  afterAll(async () => {
    await database.close();
    await server.stop();
  });

  it("are the rule that is proven elsewhere, grant by grant", async () => {
    const steps = fc.array(
      fc.record({
        passMs: fc.oneof(fc.nat(300), fc.nat(70_000)),
        wanted: fc.integer({ min: 1, max: 300 }),
        returned: fc.integer({ min: 0, max: 50 }),
      }),
      { minLength: 5, maxLength: 40 },
    );
    let names = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const name = `endpoint ${++names}`;
        const window = createSlotWindow({ requestsPerMinute: 6, tokensPerMinute: 500 }, reachMs);
        let nowMs = 1_000_000;
        for (const { passMs, wanted, returned } of given) {
          nowMs += passMs;
          const [row] = await database.query<{ grant: Grant }>("SELECT take_call($1, 6, 500, $2, $3, $4) AS grant", [
            name,
            reachMs,
            wanted,
            nowMs,
          ]);
          const grant = window.take(wanted, nowMs);
          expect(row?.grant).toEqual(grant);
          if (grant.slot === null) continue;
          const back = { slot: grant.slot, requests: 0, tokens: Math.min(returned, wanted) };
          window.giveBack(back);
          await createPostgresLimits(database).giveBack(name, back);
        }
      }),
      { numRuns: 15 },
    );
  });

  it("let through exactly what a minute has, however many ask at once", async () => {
    const shared = createPostgresLimits(database);
    const limits = { requestsPerMinute: 30, tokensPerMinute: 10_000 };
    const grants = await Promise.all(Array.from({ length: 60 }, () => shared.take("crowd", limits, 10)));
    expect(grants.filter(({ slot }) => slot !== null)).toHaveLength(30);
    await shared.pause("crowd", 60_000);
    expect((await shared.take("crowd", limits, 1)).waitMs).toBeGreaterThan(50_000);
  });

  it("keep a budget that several share, exact to the last call, and give back what a call did not use", async () => {
    const budgets = new StoredBudgets(store.spending);
    const name = budgetOfBatch("b1");
    await store.spending.setLimits(name, { calls: 10, tokens: 1_000 });
    const paying = playerOf(() => ({ value: 1 }), 50);
    const castOf = withBudgets(async () => () => paying, [budgets.level([name, dayBudget])]);
    const debate = async (question: string) =>
      runDebate({
        pack: toyPack,
        input: { question },
        config: { rounds: 2, speakers: ["a", "b"] },
        cast: await castOf("", [], {}),
      });
    const ended = await Promise.all(["1", "2", "3", "4", "5"].map(debate));
    await budgets.idle();
    const [spent] = await database.query<{ calls: number }>("SELECT calls FROM spend WHERE name = $1", [name]);
    expect(spent?.calls).toBe(10);
    expect(ended.filter(({ result }) => result.outcome === "budget_exhausted").length).toBeGreaterThan(0);
    expect(ended.flatMap(({ turns }) => turns)).toHaveLength(10);
  });

  it("refuse a call of unknown price where there is a limit in USD, and begin a day anew", async () => {
    const { spending } = store;
    await spending.setLimits(dayBudget, { usd: 1 });
    const reserve = (usd: number | null) => spending.reserve([dayBudget], { calls: 1, tokens: 1, usd });
    expect(await reserve(null)).toMatchObject({ limit: "usd", needed: null });
    expect(await reserve(0.9)).toMatchObject({ charged: [expect.stringMatching(/^day \d{4}-/)] });
    expect(await reserve(0.2)).toMatchObject({ limit: "usd", left: 0.1 });
    await database.query("UPDATE spend SET name = 'day 2000-01-01' WHERE name LIKE 'day %'");
    expect(await reserve(0.2)).toMatchObject({ charged: [expect.any(String)] });
    await spending.setLimits(dayBudget, {});
    expect(await spending.limited([dayBudget])).toEqual([]);
    expect(await reserve(null)).toHaveProperty("charged");
  });
});
