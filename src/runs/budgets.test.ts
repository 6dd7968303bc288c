import { expect, it } from "vitest";
import { turnOf } from "../../test/support/turn.ts";
import { numberRole } from "../../test/support/toy.ts";
import { ParleyError } from "../contract/error.ts";
import { noUsage } from "../contract/budget.ts";
import type { Player } from "../engine/player.ts";
import { sqliteStore } from "../store/sqlite.ts";
import { dayBudget, type Store } from "../store/store.ts";
import { openMeteredLevel, StoredBudgets, withBudgets } from "./budgets.ts";

const role = numberRole("a");
const input = { question: "?", heard: [] };

/** A player whose calls may cost up to `worst` and really cost `spent`. */
function paid(worst: number | null, spent: number): Player {
  return {
    id: "paid",
    async play(_role, _input, turn) {
      const reservation = await turn.reserve({ calls: 1, tokens: 1, usd: worst });
      reservation.settle({ calls: 1, tokens: 1, usd: spent });
      return { reply: { value: { value: 1 } }, usage: noUsage, finish: null };
    },
  };
}

async function limitDay(store: Store, player: Player) {
  await store.spending.setLimits(dayBudget, { usd: 2 });
  const budgets = new StoredBudgets(store.spending);
  const castOf = withBudgets(async () => () => player, [budgets.level([dayBudget])]);
  return async () => {
    const cast = await castOf("paid", [role], {});
    await cast("a")
      .play(role, input, turnOf(role, input))
      .finally(() => budgets.idle());
  };
}

it("what a day may cost is never passed, whoever asks, also by a process that was started anew", async () => {
  let day = "2026-01-01";
  const store = sqliteStore(":memory:", { nowMs: () => Date.parse(`${day}T12:00:00Z`) });
  const first = await limitDay(store, paid(1, 0.4));
  for (let n = 0; n < 3; n += 1) await first();
  const second = await limitDay(store, paid(1, 0.4));
  await expect(second()).rejects.toMatchObject({ code: "budget_exhausted", message: /usd limit of day 2026-01-01/ });
  day = "2026-01-02";
  await expect(second()).resolves.toBeUndefined();
});

it("a call that costs more than is left, or whose price is unknown, is refused", async () => {
  for (const worst of [3, null]) {
    const play = await limitDay(sqliteStore(":memory:"), paid(worst, 0));
    await expect(play()).rejects.toMatchObject({ code: "budget_exhausted" });
  }
});

it("a call that died with its process counts as spent", async () => {
  const store = sqliteStore(":memory:");
  const dying: Player = {
    id: "paid",
    async play(_role, _input, turn) {
      await turn.reserve({ calls: 1, tokens: 1, usd: 1.5 });
      throw new Error("died");
    },
  };
  await expect((await limitDay(store, dying))()).rejects.toThrow("died");
  await expect((await limitDay(store, paid(1, 1)))()).rejects.toMatchObject({ code: "budget_exhausted" });
});

it("a call that its own run's budget refuses leaves nothing set aside at the levels above", async () => {
  const store = sqliteStore(":memory:");
  const budgets = new StoredBudgets(store.spending);
  await store.spending.setLimits(dayBudget, { usd: 2 });
  const cast = await withBudgets(async () => () => paid(2, 0), [budgets.level([dayBudget])])("paid", [role], {});
  const refuse = () => Promise.reject(new ParleyError("budget_exhausted", "the run's own"));
  const turn = { ...turnOf(role, input), reserve: refuse };
  for (let n = 0; n < 2; n += 1) {
    await expect(cast("a").play(role, input, turn)).rejects.toThrow("the run's own");
    await budgets.idle();
  }
});

it("a call that one level refuses leaves nothing set aside at the levels before it", async () => {
  const [batch, file] = [openMeteredLevel({ calls: 1 }, "batch"), openMeteredLevel({ tokens: 0 }, "file")];
  const cast = await withBudgets(async () => () => paid(0, 0), [batch, file])("paid", [role], {});
  for (let n = 0; n < 2; n += 1)
    await expect(cast("a").play(role, input, turnOf(role, input))).rejects.toMatchObject({ code: "budget_exhausted" });
  expect([batch.isSpent(), file.isSpent()]).toEqual([false, true]);
});

it("a call that a player gave up does not keep later ones waiting", async () => {
  const level = openMeteredLevel({ calls: 2 }, "batch");
  const one = { calls: 1, tokens: 0, usd: 0 };
  const trying: Player = {
    id: "paid",
    async play(_role, _input, turn) {
      await turn.reserve(one);
      (await turn.reserve(one)).settle(one);
      return { reply: { value: { value: 1 } }, usage: noUsage, finish: null };
    },
  };
  const cast = await withBudgets(async () => () => trying, [level])("paid", [role], {});
  await cast("a").play(role, input, turnOf(role, input));
  await expect(cast("a").play(role, input, turnOf(role, input))).rejects.toMatchObject({ code: "budget_exhausted" });
}, 10_000);
