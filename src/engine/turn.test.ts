import { expect, it } from "vitest";
import * as z from "zod";
import { NumberReplySchema, numberRole, playerOf, toyPack } from "../../test/support/toy.ts";
import type { JournalEntry } from "../contract/journal.ts";
import { assembleTurn } from "./turn.ts";
import { createMemoryJournal, type Prompts, recallTurns } from "./journal.ts";
import type { Debate } from "./debate.ts";
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

it("a turn is of whoever said it, where the player only repeats it", async () => {
  const repeats: Player = {
    ...playerOf(() => null),
    play: async (_role, _input, turn) => ({ ...(await playerOf(replies).play(_role, _input, turn)), saidBy: "expert" }),
  };
  const { turns } = await run(repeats, []);
  expect(new Set(turns.map((turn) => turn.player))).toEqual(new Set(["expert"]));
});

it("nobody's word lets a reply of the wrong shape stand", async () => {
  const overruling: Player = {
    ...playerOf(() => null),
    play: async (role, input, turn) => ({
      ...(await playerOf(() => ({ value: "many" })).play(role, input, turn)),
      overrule: { by: "Ada", why: "I say so" },
    }),
  };
  const { turns } = await run(overruling, []);
  expect(turns[0]).toMatchObject({ status: "abstained", reply: null });
  expect(turns.flatMap(({ attempts }) => attempts).filter(({ overruled }) => overruled)).toEqual([]);
});

it("a turn whose reply has another schema than the recorded one has drifted", async () => {
  const entries: JournalEntry[] = [];
  const prompts: Prompts = new Map();
  const journal = createMemoryJournal(entries, prompts);
  await runDebate({ pack: toyPack, input, config, cast: () => playerOf(replies), journal });
  const role = { ...numberRole("a"), reply: NumberReplySchema.extend({ sure: z.boolean().nullable() }) };
  const pack = {
    ...toyPack,
    protocol: (debate: Debate) => debate.round(1, () => debate.ask(role, { ...input, heard: [] }, "say")),
  };
  const before = createMemoryJournal(entries.slice(0, -1), prompts);
  await expect(
    runDebate({ pack: pack as never, input, config, cast: () => playerOf(replies), journal: before }),
  ).rejects.toMatchObject({ code: "drifted", message: expect.stringContaining("the schema of the reply changed") });
});

it("a fault that could be struck is an abstention in a role that does not know how", async () => {
  const { salvage, ...role } = numberRole("c");
  expect(salvage).toBeDefined();
  const pack = {
    ...toyPack,
    protocol: (debate: Debate) => debate.round(1, () => debate.ask(role, { ...input, heard: [] }, "say")),
  };
  const { turns } = await runDebate({ pack: pack as never, input, config, cast: () => playerOf(replies) });
  expect(turns).toMatchObject([{ status: "abstained", reply: null, problems: [{ severity: "salvage" }] }]);
});
