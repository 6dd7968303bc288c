import { expect, it } from "vitest";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import type { JournalEntry } from "../contract/journal.ts";
import { assembleTurn } from "./turn.ts";
import { createMemoryJournal, recallTurns } from "./journal.ts";
import type { Player } from "./player.ts";
import { runDebate } from "./run-debate.ts";

const input = { question: "How many?" };
const config = { rounds: 2, speakers: ["a", "b", "c", "d"] };

/** One role answers, one repairs its reply, one is salvaged, one abstains. */
const replies = ({ key, repair }: Parameters<Parameters<typeof playerOf>[0]>[0]): unknown => {
  if (key.role === "a") return { value: 1 };
  if (key.role === "b") return repair ? { value: 2 } : "{";
  return key.role === "c" ? { value: 70 } : "no idea";
};
const run = (player: Player, entries: JournalEntry[]) =>
  runDebate({ pack: toyPack, input, config, cast: () => player, journal: createMemoryJournal(entries) });

it("a turn read from its journal is the turn that was taken, also when the debate is resumed", async () => {
  const entries: JournalEntry[] = [];
  const { turns } = await run(playerOf(replies, 5), entries);
  expect(turns.slice(0, 4).map((turn) => turn.status)).toEqual(["answered", "repaired", "salvaged", "abstained"]);
  expect(recallTurns(entries)).toEqual(turns);
  const resumed = await run(playerOf(replies, 5), entries.slice(0, -1));
  expect(resumed.turns).toEqual(turns);
});

it("a turn keeps the name of who played it, whoever is cast when the debate is resumed", async () => {
  const entries: JournalEntry[] = [];
  await run({ ...playerOf(replies), id: "the first" }, entries);
  const resumed = await run({ ...playerOf(replies), id: "the second" }, entries.slice(0, -1));
  expect(new Set(resumed.turns.map((turn) => turn.player))).toEqual(new Set(["the first"]));
  expect(resumed.turns).toEqual(recallTurns(entries));
});

it("attempts without a conclusion make no turn", () => {
  expect(assembleTurn([])).toBeNull();
});
