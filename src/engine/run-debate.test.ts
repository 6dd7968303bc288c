import { expect, it } from "vitest";
import { numberRole, playerOf, toyPack } from "../../test/support/toy.ts";
import { ParleyError } from "../contract/error.ts";
import type { JournalEntry } from "../contract/journal.ts";
import type { Debate } from "./debate.ts";
import { createMemoryJournal, genesis, hashEntry } from "./journal.ts";
import { runDebate } from "./run-debate.ts";

const input = { question: "How many?" };
const config = { rounds: 2, speakers: ["a", "b", "c"] };
const run = (player: ReturnType<typeof playerOf>, extra = {}) =>
  runDebate({ pack: toyPack, input, config, cast: () => player, ...extra });

it("turns keep the order in which they were asked, whatever the order of arrival", async () => {
  const delays: Record<string, number> = { a: 3, b: 2, c: 1 };
  const player = playerOf(async ({ key }) => {
    for (let tick = 0; tick < (delays[key.role] ?? 0) * 5; tick += 1) await Promise.resolve();
    return { value: delays[key.role] };
  });
  const { turns, result } = await run(player);
  expect(turns.map((turn) => turn.key.role)).toEqual(["a", "b", "c", "a", "b", "c"]);
  expect(result.decision).toEqual({ sum: 12, heard: [3, 2, 1, 3, 2, 1] });
});

it("a bad reply gets one repair turn that names its problems", async () => {
  const seen: unknown[] = [];
  const player = playerOf((turn) => {
    if (turn.repair) seen.push(turn.repair);
    return turn.repair || turn.key.role !== "b" ? '{"value": 1}' : '{"value": "one"}';
  });
  const { result, turns } = await run(player, { config: { rounds: 1, speakers: ["a", "b"] } });
  expect(seen).toMatchObject([{ raw: '{"value": "one"}', problems: [{ code: "schema", path: ["value"] }] }]);
  expect(turns[1]).toMatchObject({ status: "repaired", reply: { value: 1 } });
  expect(result.quorum).toEqual({ asked: 2, answered: 2, repaired: 1, mended: 0, abstained: 0 });
});

it("a reply that stays bad is an abstention, counted, and below quorum nothing is decided", async () => {
  const player = playerOf(({ key }) => (key.role === "a" ? { value: 1 } : "no idea"));
  const { result } = await run(player);
  expect(result.outcome).toBe("undecided");
  expect(result.quorum).toEqual({ asked: 6, answered: 2, repaired: 0, mended: 0, abstained: 4 });
  expect(result.decision?.heard).toEqual([1, 1]);
});

it("salvageable problems are struck and recorded, and a worse repair does not lose the first reply", async () => {
  const player = playerOf(({ repair }) => (repair ? "garbage" : '{"value": 70}'));
  const { turns } = await run(player, { config: { rounds: 1, speakers: ["a"] } });
  expect(turns[0]).toMatchObject({ status: "salvaged", reply: { value: 50 }, problems: [{ code: "large" }] });
});

it("an abstention in ask that a protocol does not catch ends the debate undecided", async () => {
  const pack = {
    ...toyPack,
    protocol: async (debate: Parameters<typeof toyPack.protocol>[0]) => {
      debate.standing(() => ({ sum: 7, heard: [7] }));
      await debate.ask(numberRole("a"), { question: "?", heard: [] });
      throw new Error("unreachable");
    },
  };
  const { result } = await runDebate({ pack, input, config, cast: () => playerOf(() => "nothing") });
  expect(result).toMatchObject({ outcome: "undecided", decision: { sum: 7 } });
});

it("asking the same turn twice is an error that names it", async () => {
  await expect(
    runDebate({
      pack: {
        ...toyPack,
        protocol: async (debate) => {
          await debate.ask(numberRole("a"), { question: "?", heard: [] });
          await debate.ask(numberRole("a"), { question: "?", heard: [] });
          throw new Error("unreachable");
        },
      },
      input,
      config,
      cast: () => playerOf(() => ({ value: 1 })),
    }),
  ).resolves.toMatchObject({
    result: { outcome: "failed", reasons: [expect.stringContaining("0/a/a was asked twice")] },
  });
});

it("an operational failure is an outcome with the standing decision; a bug throws", async () => {
  const failing = playerOf(({ key }) => {
    if (key.round === 2) throw new ParleyError("endpoint_failed", "the endpoint answered 500");
    return { value: 2 };
  });
  const { result } = await run(failing);
  expect(result).toMatchObject({ outcome: "failed", decision: { sum: 6 }, reasons: ["the endpoint answered 500"] });
  await expect(
    run(
      playerOf(() => {
        throw new TypeError("bug");
      }),
    ),
  ).rejects.toThrow(TypeError);
});

it("a protocol that leaves its decision undefined ends with none, which can be stored and read back", async () => {
  const pack = { ...toyPack, protocol: async () => ({ outcome: "undecided", reasons: [], decision: undefined }) };
  const { result } = await runDebate({ pack: pack as never, input, config, cast: () => playerOf(() => null) });
  expect(JSON.parse(JSON.stringify(result))).toHaveProperty("decision", null);
});

it("entries are hash-chained from the beginning to the end", async () => {
  const entries: JournalEntry[] = [];
  await run(
    playerOf(() => ({ value: 1 }), 10),
    { journal: createMemoryJournal(entries) },
  );
  expect(entries.map((entry) => entry.body.kind).filter((kind) => kind === "attempt")).toHaveLength(6);
  let prev = genesis;
  for (const [seq, entry] of entries.entries()) {
    expect(entry).toMatchObject({ seq, prev, hash: hashEntry(prev, seq, JSON.stringify(entry.body)) });
    prev = entry.hash;
  }
});

it("a debate resumed from any prefix of its journal repeats only what was not recorded and ends the same", async () => {
  const entries: JournalEntry[] = [];
  const whole = await run(
    playerOf(({ key, repair }) => (key.role === "b" && !repair ? "{" : { value: key.round }), 5),
    {
      journal: createMemoryJournal(entries),
    },
  );
  for (let cut = 1; cut <= entries.length; cut += 1) {
    const kept = entries.slice(0, cut);
    let calls = 0;
    const player = playerOf(({ key, repair }) => {
      calls += 1;
      return key.role === "b" && !repair ? "{" : { value: key.round };
    }, 5);
    const again = await run(player, { journal: createMemoryJournal(kept) });
    const done = entries.slice(0, cut).filter((entry) => entry.body.kind === "attempt").length;
    expect(calls).toBe(8 - done);
    expect(again.result).toEqual(whole.result);
  }
});

it("a turn whose prompt changed since it was recorded is drifted, with the line that changed", async () => {
  const entries: JournalEntry[] = [];
  const journal = createMemoryJournal(entries);
  await run(
    playerOf(() => ({ value: 1 })),
    { journal },
  );
  await expect(
    runDebate({
      pack: toyPack,
      input: { question: "How few?" },
      config,
      cast: () => playerOf(() => ({ value: 1 })),
      journal,
    }),
  ).rejects.toMatchObject({ code: "drifted", message: expect.stringMatching(/- How many\?\n\+ How few\?/) });
});

it("an interrupted run throws and keeps what was recorded", async () => {
  const entries: JournalEntry[] = [];
  const stop = new AbortController();
  const player = playerOf(({ key }) => {
    if (key.round === 2) stop.abort();
    return { value: 1 };
  });
  await expect(
    run(player, { journal: createMemoryJournal(entries), signal: stop.signal, config: { ...config, rounds: 3 } }),
  ).rejects.toMatchObject({
    code: "interrupted",
  });
  expect(entries.some((entry) => entry.body.kind === "attempt")).toBe(true);
  expect(entries.at(-1)?.body.kind).not.toBe("end");
});

it("a debate that stops waits for its turns in flight: their replies count, and nothing is written after the end", async () => {
  const pack = {
    ...toyPack,
    protocol: async (debate: Debate) => {
      await Promise.all(["a", "b", "c"].map((name) => debate.ask(numberRole(name), { question: "?", heard: [] })));
      throw new Error("never reached");
    },
  };
  const entries: JournalEntry[] = [];
  const player = playerOf(async () => {
    for (let tick = 0; tick < 20; tick += 1) await Promise.resolve();
    return { value: 1 };
  }, 5);
  const { result } = await runDebate({
    pack,
    input,
    config,
    cast: () => player,
    budget: { calls: 2 },
    journal: createMemoryJournal(entries),
  });
  expect(result).toMatchObject({ outcome: "budget_exhausted", quorum: { asked: 2, answered: 2 } });
  expect(entries.at(-1)?.body.kind).toBe("end");
  expect(entries.filter((entry) => entry.body.kind === "attempt")).toHaveLength(2);
});

it.each([
  ["a person or an expert", 0],
  ["a model", 5],
])("%s is asked nothing more before the reply that came before is durable", async (_who, tokens) => {
  const { append, ...journal } = createMemoryJournal();
  const asked: number[] = [];
  const player = playerOf(({ key }) => ({ value: asked.push(key.round) }), tokens);
  let isStored = (): void => {};
  const stored = new Promise<void>((resolve) => (isStored = resolve));
  let before = Promise.resolve();
  const held: typeof append = (body, pieces) => {
    if (body.kind === "attempt") before = before.then(() => stored);
    before = before.then(() => append(body, pieces));
    return before;
  };
  const ran = run(player, { config: { rounds: 3, speakers: ["a"] }, journal: { ...journal, append: held } });
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([1]);
  isStored();
  await ran;
  expect(asked).toEqual([1, 2, 3]);
});

it("nobody is asked anything more once a reply could not be stored", async () => {
  const { append, ...journal } = createMemoryJournal();
  let asked = 0;
  const failing: typeof append = async (body, pieces) => {
    if (body.kind === "attempt") throw new ParleyError("store_failed", "the disk is full");
    await append(body, pieces);
  };
  const ran = run(
    playerOf(() => ({ value: ++asked })),
    { config: { rounds: 3, speakers: ["a"] }, journal: { ...journal, append: failing } },
  );
  await expect(ran).rejects.toMatchObject({ code: "store_failed" });
  expect(asked).toBe(1);
});
