import { expect, it } from "vitest";
import { turnOf } from "../../../test/support/turn.ts";
import { numberRole } from "../../../test/support/toy.ts";
import { noUsage } from "../../contract/usage.ts";
import type { Player } from "../../engine/player.ts";
import { sqliteDesk } from "../../store/desk/sqlite-desk.ts";
import { limitDay } from "./day-purse.ts";

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

const play = async (castOf: ReturnType<typeof limitDay>, budget = {}) => {
  const cast = await castOf("paid", [role], budget);
  return cast("a").play(role, input, turnOf(role, input));
};

it("what a day may cost is never passed, whoever asks, also by a server that was started anew", async () => {
  const desk = sqliteDesk(":memory:");
  let day = "2026-01-01";
  const open = () =>
    limitDay(
      async () => () => paid(1, 0.4),
      desk,
      2,
      () => new Date(`${day}T12:00:00Z`),
    );
  const first = open();
  for (let n = 0; n < 3; n += 1) await play(first);
  expect(desk.spentOn(day)).toBeCloseTo(1.2);
  await expect(play(open())).rejects.toMatchObject({ code: "budget_exhausted", message: /all runs of 2026-01-01/ });
  day = "2026-01-02";
  await expect(play(open())).resolves.toBeDefined();
});

it("no request lifts it: a run's own budget is only ever smaller", async () => {
  const castOf = limitDay(
    async () => () => paid(3, 3),
    sqliteDesk(":memory:"),
    2,
    () => new Date(0),
  );
  await expect(play(castOf, { usd: 1_000 })).rejects.toMatchObject({ code: "budget_exhausted" });
});

it("a call of unknown price is refused under it", async () => {
  const castOf = limitDay(
    async () => () => paid(null, 0),
    sqliteDesk(":memory:"),
    2,
    () => new Date(0),
  );
  await expect(play(castOf)).rejects.toMatchObject({ code: "budget_exhausted" });
});

it("a call that died with its process counts as spent", async () => {
  const desk = sqliteDesk(":memory:");
  const dying: Player = {
    id: "paid",
    async play(_role, _input, turn) {
      await turn.reserve({ calls: 1, tokens: 1, usd: 1.5 });
      throw new Error("died");
    },
  };
  const castOf = limitDay(
    async () => () => dying,
    desk,
    2,
    () => new Date(0),
  );
  await expect(play(castOf)).rejects.toThrow("died");
  expect(desk.spentOn("1970-01-01")).toBe(1.5);
});
