import { expect, it } from "vitest";
import { numberRole, toyPack } from "../../test/support/toy.ts";
import { noCost, noUsage } from "../contract/budget.ts";
import type { JournalEntry } from "../contract/journal.ts";
import { createMemoryJournal, recall } from "./journal.ts";
import { createMeter } from "./budget.ts";
import type { Player } from "./player.ts";
import { runDebate } from "./run-debate.ts";

const worst = { calls: 1, tokens: 20, usd: 0.2 };
const real = { calls: 1, tokens: 10, usd: 0.1 };

it("a reservation is settled once: settling it again gives nothing back and takes nothing more", () => {
  const meter = createMeter({ tokens: 30 }, () => 0);
  const settle = meter.reserve("1/say/a", worst);
  expect([settle(real), settle(noCost), settle(worst)]).toEqual([real, real, real]);
  expect(meter.spend()).toMatchObject(real);
  meter.reserve("1/say/b", worst);
  expect(() => meter.reserve("1/say/c", { ...worst, tokens: 1 })).toThrow("needs up to 1, 0 left");
});

it("a reservation that is never settled counts in full", () => {
  const meter = createMeter({}, () => 0);
  meter.reserve("1/say/a", worst);
  expect(meter.spend()).toMatchObject(worst);
});

it.each(["calls", "tokens", "usd"] as const)(
  "what an earlier process spent and lost counts against the limit of %s",
  (limit) => {
    const meter = createMeter({ [limit]: 2 * worst[limit] + real[limit] }, () => 0);
    meter.carry(real, worst);
    expect(meter.spend(), "what was lost is not known to be spent").toMatchObject(real);
    const settle = meter.reserve("1/say/a", worst);
    expect(() => meter.reserve("1/say/b", { ...noCost, [limit]: worst[limit] / 10 })).toThrow(`the ${limit} limit`);
    settle(noCost);
    expect(() => meter.reserve("1/say/b", worst)).not.toThrow();
  },
);

it("a player that settles twice is recorded with what it settled first", async () => {
  const entries: JournalEntry[] = [];
  const player: Player = {
    id: "twice",
    async play(_role, _input, turn) {
      const reservation = await turn.reserve(worst);
      reservation.settle(real);
      reservation.settle(noCost);
      return { reply: { value: { value: 1 } }, usage: noUsage, finish: null };
    },
  };
  const { result } = await runDebate({
    pack: { ...toyPack, roles: () => [numberRole("a")] },
    input: { question: "How many?" },
    config: { rounds: 1, speakers: ["a"] },
    cast: () => player,
    journal: createMemoryJournal(entries),
  });
  expect(result.spend).toMatchObject(real);
  expect(recall(entries).spent).toEqual(real);
});
