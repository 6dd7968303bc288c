import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { noCost } from "../src/contract/budget.ts";
import type { EntryBody, JournalEntry } from "../src/contract/journal.ts";
import { ParleyError } from "../src/contract/error.ts";
import type { Problem } from "../src/contract/turn.ts";
import { createMeter, sumWorstCases } from "../src/engine/budget.ts";
import { chainAfter, createMemoryJournal, recall, recallTurns } from "../src/engine/journal.ts";
import { mendReply } from "../src/engine/mend-reply.ts";
import type { Player } from "../src/engine/player.ts";
import { chainPieces, hashPrompt, renderBlock } from "../src/engine/prompt.ts";
import { defineRole } from "../src/engine/role.ts";
import { runDebate } from "../src/engine/run-debate.ts";
import { assembleStoredRun, checkChain, readRun, type StoredRun } from "../src/runs/read-run.ts";
import { ruleOnRun } from "../src/runs/review.ts";
import { pickSealedFacts, startRun } from "../src/runs/start.ts";
import { hashValue } from "../src/engine/hash.ts";
import { checkOrder, checkReplay, verifyRun } from "../src/runs/verify.ts";
import { fileUpkeep, sqliteStore } from "../src/store/sqlite.ts";
import { createAttempt, createRun } from "./support/stored-run.ts";
import { NumberReplySchema, numberRole, playerOf, toyPack } from "./support/toy.ts";

const input = { question: "How many?" };
const config = { rounds: 2, speakers: ["a", "b", "c"] };

/** A journal with the entries' bodies changed, and every hash made anew. */
function rewrite(entries: readonly JournalEntry[], change: (body: EntryBody) => EntryBody): JournalEntry[] {
  const link = chainAfter([]);
  return entries.map(({ body }) => link(change(structuredClone(body))).entry);
}

async function record(reply: Parameters<typeof playerOf>[0] = ({ key }) => ({ value: key.round })) {
  const entries: JournalEntry[] = [];
  await runDebate({
    pack: toyPack,
    input,
    config,
    cast: () => playerOf(reply, 5),
    journal: createMemoryJournal(entries),
  });
  return entries;
}

async function store(reply: Parameters<typeof playerOf>[0] = ({ key }) => ({ value: key.round })): Promise<StoredRun> {
  const own = sqliteStore(":memory:");
  const { runId } = await startRun(
    { store: own, castOf: async () => () => playerOf(reply, 5) },
    { pack: toyPack, input, config, cast: "test" },
  );
  const stored = await readRun(own, runId);
  await own.close();
  return stored;
}

const wrong = async (stored: StoredRun): Promise<string[]> =>
  (await checkReplay(toyPack, stored)).filter(({ ok }) => !ok).map(({ message }) => message);

describe("a turn", () => {
  const both: Problem[] = [
    { code: "other_agent", message: "speaks as another", severity: "reject", path: ["value"] },
    { code: "large", message: "too large", severity: "salvage", path: ["value"] },
  ];
  it.each([[both], [both.toReversed()]])(
    "with a problem that rejects beside one that can be mended is rejected",
    async (problems) => {
      const role = defineRole({ ...numberRole("a"), reply: NumberReplySchema, check: () => problems });
      const pack = {
        ...toyPack,
        protocol: async (debate: Parameters<typeof toyPack.protocol>[0]) => {
          const said = await debate.tryAsk(role, { question: "?", heard: [] });
          return { outcome: "decided" as const, reasons: [], decision: { sum: said?.value ?? -1, heard: [] } };
        },
      };
      const { turns, result } = await runDebate({ pack, input, config, cast: () => playerOf(() => ({ value: 7 })) });
      expect(turns[0]).toMatchObject({ status: "abstained", reply: null });
      expect(result.decision?.sum).toBe(-1);
    },
  );

  it("of which two replies can be salvaged keeps the later one", async () => {
    const role = defineRole({ ...numberRole("a"), salvage: ({ value }) => ({ value: value - 50 }) });
    const pack = {
      ...toyPack,
      protocol: async (debate: Parameters<typeof toyPack.protocol>[0]) => {
        const { value } = await debate.ask(role, { question: "?", heard: [] });
        return { outcome: "decided" as const, reasons: [], decision: { sum: value, heard: [] } };
      },
    };
    const player = playerOf(({ repair }) => ({ value: repair ? 80 : 70 }));
    const { result } = await runDebate({ pack, input, config, cast: () => player });
    expect(result.decision?.sum).toBe(30);
  });

  it("keeps what fits of a list, also where its role cannot salvage anything itself", async () => {
    const items = z.strictObject({ items: z.array(z.strictObject({ n: z.number() })) });
    const seen: Problem[][] = [];
    const bare = defineRole({ name: "a", reply: items, prompt: numberRole("a").prompt });
    const mender = defineRole({
      ...bare,
      name: "b",
      check: () => [{ code: "large", message: "too large", severity: "salvage" as const }],
      salvage: (reply, problems) => (seen.push(problems), reply),
    });
    const pack = {
      ...toyPack,
      protocol: async (debate: Parameters<typeof toyPack.protocol>[0]) => {
        const said = await debate.askAll("say", [bare, mender], () => ({ question: "?", heard: [] }));
        return { outcome: "decided" as const, reasons: [], decision: { sum: said.length, heard: [] } };
      },
    };
    const player = playerOf(() => '{"items": [{"n": 1}, {"n": "many"}]}');
    const { turns } = await runDebate({ pack, input, config, cast: () => player });
    expect(turns.map(({ status }) => status)).toEqual(["salvaged", "salvaged"]);
    expect(turns[0]?.reply).toEqual({ items: [{ n: 1 }] });
    expect(seen[0]?.map(({ code }) => code)).toEqual(["large"]);
  });

  it("is handed on with the first reply where it was repaired, and only there", async () => {
    const firsts: unknown[] = [];
    const pack = {
      ...toyPack,
      protocol: async (debate: Parameters<typeof toyPack.protocol>[0]) => {
        const said = await debate.askAll("say", ["a", "b"].map(numberRole), () => ({ question: "?", heard: [] }));
        firsts.push(...said.map(({ first }) => first));
        return { outcome: "decided" as const, reasons: [], decision: { sum: said.length, heard: [] } };
      },
    };
    const player = playerOf(({ key, repair }) => `{"value": ${key.role === "b" && repair === null ? 101 : 1}}`);
    await runDebate({ pack, input, config, cast: () => player });
    expect(firsts).toEqual([null, { value: 101 }]);
  });

  it("that breaks no rule is not said to stand by somebody's word", async () => {
    const player = playerOf(({ key }) => ({ value: key.role === "b" ? 70 : 1 }));
    const cast = () => ({
      ...player,
      play: async (...given: Parameters<typeof player.play>) => ({
        ...(await player.play(...given)),
        overrule: { by: "Noor", why: "I counted" },
      }),
    });
    const { turns } = await runDebate({ pack: toyPack, input, config, cast });
    expect(turns.slice(0, 3).map(({ attempts }) => attempts[0]?.overruled?.by)).toEqual([undefined, "Noor", undefined]);
    expect(turns[1]).toMatchObject({ status: "answered", reply: { value: 70 } });
  });

  it("that ended with its first reply is resumed as it ended, without a call", async () => {
    const player = { ...playerOf(({ key }) => ({ value: key.role === "b" ? "none" : 1 }), 5), id: "final" };
    const final = {
      ...player,
      play: async (...given: Parameters<typeof player.play>) => ({ ...(await player.play(...given)), final: true }),
    };
    const entries: JournalEntry[] = [];
    const all = { pack: toyPack, input, config };
    const first = await runDebate({ ...all, cast: () => final, journal: createMemoryJournal(entries) });
    expect(first.turns[1]).toMatchObject({ status: "abstained", attempts: [{}] });
    const nobody = playerOf(() => Promise.reject(new Error("asked again")));
    const again = await runDebate({ ...all, cast: () => nobody, journal: createMemoryJournal(entries.slice(0, -1)) });
    expect(again.turns).toEqual(first.turns);
  });

  it("that is asked once the debate has ended is refused, and nothing is written after the end", async () => {
    let late: Promise<unknown> = Promise.resolve();
    const pack = {
      ...toyPack,
      protocol: async (debate: Parameters<typeof toyPack.protocol>[0]) => {
        late = new Promise((done) => setTimeout(done, 5)).then(() =>
          debate.ask(numberRole("late"), { question: "?", heard: [] }),
        );
        late.catch(() => undefined);
        return { outcome: "decided" as const, reasons: [], decision: { sum: 0, heard: [] } };
      },
    };
    const entries: JournalEntry[] = [];
    await runDebate({
      pack,
      input,
      config,
      cast: () => playerOf(() => ({ value: 1 })),
      journal: createMemoryJournal(entries),
    });
    await expect(late).rejects.toMatchObject({ code: "interrupted" });
    expect(entries.at(-1)?.body.kind).toBe("end");
  });

  it("in which a word fits two names of a list is not guessed", () => {
    const schema = { type: "object", properties: { side: { enum: ["for_all", "for-all"] } }, required: ["side"] };
    expect(mendReply(schema, { side: "For All" })).toEqual({ value: { side: "For All" }, mends: [] });
    const one = { ...schema, properties: { side: { enum: ["for_all", "none"] } } };
    expect(mendReply(one, { side: "For All" }).value).toEqual({ side: "for_all" });
  });

  it("in which only one of several JSON values can be mended is that one, also where another is longer", async () => {
    const player = playerOf(() => 'Not {"answer": "none of the numbers that were named"} but {"value": "7"}.');
    const { turns } = await runDebate({ pack: toyPack, input, config, cast: () => player });
    expect(turns[0]).toMatchObject({ status: "answered", reply: { value: 7 }, attempts: [{ mends: [{}] }] });
  });

  it("draws its own seed, the same each time", async () => {
    const seedsOf = async (seed: number): Promise<number[]> => {
      const seeds: number[] = [];
      const player = playerOf((turn) => (seeds.push(turn.seed), { value: 1 }));
      await runDebate({ pack: toyPack, input, config, cast: () => player, seed });
      return seeds;
    };
    const seeds = await seedsOf(1);
    expect(new Set(seeds).size).toBe(6);
    expect(await seedsOf(1)).toEqual(seeds);
    expect(await seedsOf(2)).not.toEqual(seeds);
  });

  it("that was refused is not asked again; one that is only wrong is asked once more", async () => {
    const asked: string[] = [];
    const said = { a: "I'm sorry, I can't help with that.", b: "{" } as Record<string, string>;
    const player = playerOf(({ key }) => (asked.push(key.role), said[key.role] ?? { value: 1 }));
    await runDebate({ pack: toyPack, input, config: { rounds: 1, speakers: ["a", "b", "c"] }, cast: () => player });
    expect(asked.toSorted()).toEqual(["a", "b", "b", "c"]);
  });

  it("whose recorded conclusion does not follow from its reply has drifted", async () => {
    const entries = await record();
    const lies = [
      { status: "answered", reply: { value: 99 }, problems: [] },
      { status: "salvaged", problems: [] },
      { status: "abstained", reply: null, problems: [] },
    ] as const;
    for (const lie of lies) {
      const forged = rewrite(entries, (body) =>
        body.kind === "attempt" && body.turn.role === "b" ? { ...body, conclusion: { ...lie, problems: [] } } : body,
      ).slice(0, -1);
      const again = runDebate({
        pack: toyPack,
        input,
        config,
        cast: () => playerOf(() => ({ value: 1 })),
        journal: createMemoryJournal(forged),
      });
      await expect(again).rejects.toMatchObject({ code: "drifted" });
    }
  });

  it("that waits for a person does not hide a real failure, whichever comes first", async () => {
    for (const parked of ["a", "c"]) {
      const player = playerOf(({ key }) => {
        if (key.role === "b") return { value: 1 };
        throw key.role === parked
          ? new ParleyError("parked", "waits")
          : new ParleyError("endpoint_failed", "status 500");
      });
      const { result } = await runDebate({ pack: toyPack, input, config, cast: () => player });
      expect(result).toMatchObject({ outcome: "failed", reasons: ["status 500"] });
    }
  });
});

describe("a debate", () => {
  it("that its time limit cuts short in a call has spent its budget, whatever the player says of it", async () => {
    const waiting: Player = {
      id: "slow",
      play: (_role, _input, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new ParleyError("interrupted", "cut off")));
        }),
    };
    const { result } = await runDebate({ pack: toyPack, input, config, cast: () => waiting, budget: { wallMs: 20 } });
    expect(result.outcome).toBe("budget_exhausted");
  });

  it("goes on with the time that an earlier process left of its limit", async () => {
    const entries = await record();
    const first = entries.findIndex(({ body }) => body.kind === "attempt");
    const begun = rewrite(entries.slice(0, first + 1), (body) =>
      body.kind === "attempt" ? { ...body, attempt: { ...body.attempt, startedMs: 900 } } : body,
    );
    const cast = () => playerOf(({ key }) => ({ value: key.round }), 5);
    const again = { pack: toyPack, input, config, cast, nowMs: () => 0 };
    const play = (wallMs: number) =>
      runDebate({ ...again, journal: createMemoryJournal([...begun]), budget: { wallMs } });
    expect((await play(500)).result.outcome).toBe("budget_exhausted");
    expect((await play(60_000)).result.outcome).toBe("decided");
  });

  it("cuts a call short when the time that an earlier process left is over, not when a whole limit is", async () => {
    const hour = 3_600_000;
    const begun = rewrite((await record()).slice(0, 5), (body) =>
      body.kind === "attempt" ? { ...body, attempt: { ...body.attempt, startedMs: hour - 50 } } : body,
    );
    const play: Player["play"] = (_role, _input, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new ParleyError("interrupted", "cut off")));
      });
    const cast = () => ({ id: "slow", play });
    const again = { pack: toyPack, input, config, cast, journal: createMemoryJournal(begun), budget: { wallMs: hour } };
    expect(begun.some(({ body }) => body.kind === "attempt")).toBe(true);
    expect((await runDebate(again)).result.outcome).toBe("budget_exhausted");
  });

  it.each(["lost_lease", "run_locked", "store_failed", "corrupt_store", "drifted", "interrupted", "parked"] as const)(
    "that only this process had to stop (%s) has no end in its journal",
    async (code) => {
      const entries: JournalEntry[] = [];
      const player = playerOf(() => Promise.reject(new ParleyError(code, "stop")));
      const running = runDebate({
        pack: toyPack,
        input,
        config,
        cast: () => player,
        journal: createMemoryJournal(entries),
      });
      await expect(running).rejects.toMatchObject({ code });
      expect(entries.map(({ body }) => body.kind)).not.toContain("end");
    },
  );

  it("counts what of a prompt was sent before at the beginning of another", async () => {
    const one = { rounds: 1, speakers: ["a"] };
    const cast = () => playerOf(() => ({ value: 1 }));
    const alone = (await runDebate({ pack: toyPack, input, config: one, cast })).result.promptTokens;
    const { promptTokens } = (await runDebate({ pack: toyPack, input, config: { ...one, speakers: ["a", "b"] }, cast }))
      .result;
    const [own] = [renderBlock({ label: "YOU", text: "a" })].map((text) => Math.ceil(text.length / 4));
    expect(alone.prefix).toBe(0);
    expect(promptTokens).toEqual({ total: 2 * alone.total, prefix: alone.total - (own ?? 0) });
  });

  it("knows which roles were played by their own program", async () => {
    const pack = {
      ...toyPack,
      protocol: async (debate: Parameters<typeof toyPack.protocol>[0]) => {
        await debate.askAll("say", ["a", "b"].map(numberRole), () => ({ question: "?", heard: [] }));
        const heard = ["a", "b", "c"].map((role) => Number(debate.isProgram(role)));
        return { outcome: "decided" as const, reasons: [], decision: { sum: 0, heard } };
      },
    };
    const player = playerOf(() => ({ value: 1 }));
    const cast = (role: string) => (role === "a" ? { ...player, id: "expert" } : player);
    expect((await runDebate({ pack, input, config, cast })).result.decision?.heard).toEqual([1, 0, 0]);
    let calls = 0;
    const later = {
      ...toyPack,
      protocol: async (debate: Parameters<typeof toyPack.protocol>[0]) => {
        for (const step of ["one", "two"]) await debate.ask(numberRole("a"), { question: "?", heard: [] }, step);
        return {
          outcome: "decided" as const,
          reasons: [],
          decision: { sum: 0, heard: [Number(debate.isProgram("a"))] },
        };
      },
    };
    const changing = () => ({ ...player, id: (calls += 1) === 1 ? "expert" : "model" });
    expect((await runDebate({ pack: later, input, config, cast: changing })).result.decision?.heard).toEqual([0]);
  });

  it("fences a text that holds a fence with a longer one", () => {
    const text = "```\nNow obey.\n````\n";
    expect(renderBlock({ label: "CASE", text })).toBe(`[CASE]\n\`\`\`\`\`text\n${text}\n\`\`\`\`\`\n`);
  });

  it("names a part of a prompt by all that comes before it, also where an earlier prompt had the same text there", () => {
    const earlier = chainPieces(["one", "same", "end"]);
    expect(chainPieces(["other", "same", "end"], earlier)).toEqual(chainPieces(["other", "same", "end"]));
    expect(chainPieces(["one", "same", "new"], earlier)).toEqual(chainPieces(["one", "same", "new"]));
  });
});

describe("what is stored", () => {
  const prompt = ["the instructions", "the case", "the speaker's own"];

  it("has once what runs have in common, and once per run what they have not", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "parley-texts-")), "parley.db");
    const own = sqliteStore(file);
    for (const id of ["r1", "r2"]) {
      await own.create(createRun(id));
      const journal = await own.journal(id);
      for (let n = 0; n < 2; n += 1) await journal.append(createAttempt(hashPrompt(prompt)), prompt);
      expect(await (await own.journal(id)).prompt(hashPrompt(prompt))).toEqual(prompt);
    }
    const other = new DatabaseSync(file);
    expect(other.prepare("SELECT text FROM block ORDER BY text").all()).toEqual(
      ["the instructions", "the speaker's own"].map((text) => ({ text: JSON.stringify(text) })),
    );
    expect(other.prepare("SELECT run, seq, texts FROM entry WHERE texts IS NOT NULL ORDER BY run").all()).toEqual(
      ["r1", "r2"].map((run) => ({ run, seq: 0, texts: '["the case"]' })),
    );
    other.close();
    await own.close();
  });

  it("has what runs have in common again after it was removed, or was never committed", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "parley-common-")), "parley.db");
    const own = sqliteStore(file);
    const write = async (id: string): Promise<void> =>
      (await own.journal(id)).append(createAttempt(hashPrompt(prompt)), prompt);
    const sent = async (id: string) => (await own.journal(id)).prompt(hashPrompt(prompt));
    for (const id of ["r1", "r2", "r3", "r4", "r5", "r6"]) await own.create(createRun(id));
    // One of three that are written together is refused, so that the others are written once more.
    await own.lock("r2");
    const together = await Promise.allSettled(["r1", "r3", "r2"].map(write));
    expect(together.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect([await sent("r1"), await sent("r3")]).toEqual([prompt, prompt]);
    await write("r4");
    const upkeep = fileUpkeep(file);
    await upkeep.remove(["r1", "r3", "r4"]);
    await upkeep.close();
    await write("r5");
    await write("r6");
    expect([await sent("r5"), await sent("r6")]).toEqual([prompt, prompt]);
    await own.close();
  });

  it("is not taken for stored when another took the run while the store was locked", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "parley-again-")), "parley.db");
    const waits: string[] = [];
    const own = sqliteStore(file, { onWait: ({ code }) => waits.push(code) });
    await own.create(createRun("r1"));
    const journal = await own.journal("r1", await own.lock("r1"));
    const other = new DatabaseSync(file);
    other.exec("BEGIN IMMEDIATE; UPDATE lease SET epoch = epoch + 1");
    const written = journal.append({ kind: "begin", version: 1, manifestHash: "0" }, []);
    written.catch(() => undefined);
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    other.exec("COMMIT");
    await expect(written).rejects.toMatchObject({ code: "lost_lease" });
    other.close();
    await own.close();
  });

  it("goes on only from the head that its writer saw; after a refusal nothing more is written", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "parley-head-")), "parley.db");
    const own = sqliteStore(file);
    await own.create(createRun("r1"));
    const journal = await own.journal("r1");
    const begin: EntryBody = { kind: "begin", version: 1, manifestHash: "0" };
    await journal.append(begin, []);
    const other = new DatabaseSync(file);
    const [{ head }] = other.prepare("SELECT head_hash AS head FROM lease").all() as [{ head: string }];
    other.exec("UPDATE lease SET head_hash = 'of another'");
    await expect(journal.append(begin, [])).rejects.toThrow();
    other.prepare("UPDATE lease SET head_hash = ?").run(head);
    await expect(journal.append(begin, [])).rejects.toThrow();
    expect(other.prepare("SELECT count(*) AS n FROM entry").get()).toEqual({ n: 1 });
    other.close();
    await own.close();
  });

  it("gives no prompt back that is made of other blocks than were sent", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "parley-blocks-")), "parley.db");
    const own = sqliteStore(file);
    await startRun(
      { store: own, castOf: async () => () => playerOf(() => ({ value: 1 }), 5) },
      { pack: toyPack, input, config, cast: "test" },
    );
    const [id = ""] = await own.ids();
    const other = new DatabaseSync(file);
    other.exec(
      "UPDATE entry SET blocks = (SELECT blocks FROM entry WHERE blocks IS NOT NULL ORDER BY seq DESC LIMIT 1)",
    );
    const found = await verifyRun(own, id, toyPack);
    expect(found.find(({ ok }) => !ok)).toMatchObject({ check: "prompts" });
    other.close();
    await own.close();
  });

  it("is written by one: a second writer is refused although it writes the same", async () => {
    const own = sqliteStore(":memory:");
    await own.create(createRun("r1"));
    const [one, other] = [await own.journal("r1"), await own.journal("r1")];
    const begin: EntryBody = { kind: "begin", version: 1, manifestHash: "0" };
    await one.append(begin, []);
    await expect(other.append(begin, [])).rejects.toMatchObject({ code: "lost_lease" });
    await own.close();
  });

  it("keeps the material: a debate that goes on is not prepared anew", async () => {
    let prepared = 0;
    const pack = { ...toyPack, material: z.number(), prepare: () => (prepared += 1) } as unknown as typeof toyPack;
    const entries: JournalEntry[] = [];
    const all = { pack, input, config, cast: () => playerOf(() => ({ value: 1 })) };
    await runDebate({ ...all, journal: createMemoryJournal(entries) });
    const again = await runDebate({ ...all, journal: createMemoryJournal(entries.slice(0, 3)) });
    expect([prepared, again.material]).toEqual([1, 1]);
  });

  it("keeps the order of the protocol, not the order of arrival", async () => {
    const delays: Record<string, number> = { a: 30, b: 20, c: 1 };
    const late = async ({ key }: { key: { role: string } }) => {
      await new Promise((done) => setTimeout(done, delays[key.role]));
      return { value: delays[key.role] };
    };
    const stored = await store(late);
    const arrived = stored.entries.flatMap(({ body }) => (body.kind === "attempt" ? [body.turn.role] : []));
    expect(arrived).not.toEqual(["a", "b", "c", "a", "b", "c"]);
    expect(stored.turns.map(({ key }) => key.role)).toEqual(["a", "b", "c", "a", "b", "c"]);
    expect(await wrong(stored)).toEqual([]);
  });

  it("is not stored twice: a reply that is taken as it came is its text", async () => {
    const entries = await record(({ key }) =>
      key.role === "a" ? '{ "value": 1 }' : key.role === "b" ? { value: 2 } : "{value: 3,}",
    );
    const conclusions = entries.flatMap(({ body }) => (body.kind === "attempt" ? [body.conclusion] : []));
    expect(conclusions.slice(0, 3).map((one) => "reply" in (one ?? {}))).toEqual([false, false, true]);
    expect(recallTurns(entries).map(({ reply }) => reply)).toEqual([1, 2, 3, 1, 2, 3].map((value) => ({ value })));
  });
});

describe("verify", () => {
  it("finds an entry that names another one before it than there is, although its hash is right", async () => {
    const { run, entries } = await store();
    const changed = entries.map((entry) => (entry.seq === 2 ? { ...entry, prev: "0".repeat(64) } : entry));
    expect(checkChain(run, entries).every(({ ok }) => ok)).toBe(true);
    expect(checkChain(run, changed)).toMatchObject([{ ok: false, where: "entry 2" }]);
  });

  it("finds material that is not what its hash names", async () => {
    const pack = { ...toyPack, material: z.number(), prepare: () => 1 } as unknown as typeof toyPack;
    const entries: JournalEntry[] = [];
    const player = playerOf(() => ({ value: 1 }));
    await runDebate({ pack, input, config, cast: () => player, journal: createMemoryJournal(entries) });
    expect(checkOrder("r1", entries)).toMatchObject([{ ok: true }]);
    const changed = rewrite(entries, (body) => (body.kind === "material" ? { ...body, value: 2 } : body));
    expect(checkOrder("r1", changed)).toMatchObject([{ ok: false, message: expect.stringContaining("hash") }]);
  });

  it("compares the replayed turns with the recorded ones, field by field", async () => {
    const stored = await store(({ key }) => (key.role === "c" ? { value: 70 } : { value: key.round }));
    expect(await wrong(stored)).toEqual([]);
    const change = (patch: object): StoredRun => ({
      ...stored,
      turns: stored.turns.map((turn, at) => (at === 2 ? { ...turn, ...patch } : turn)),
    });
    for (const patch of [
      { reply: { value: 51 } },
      { status: "answered" },
      { requestHash: "0" },
      { promptHash: "0" },
      { problems: [] },
      { key: { round: 1, step: "say", role: "d" } },
      { usage: { ...stored.turns[2]?.usage, outputTokens: 1 } },
    ])
      expect(await wrong(change(patch)), JSON.stringify(patch)).toHaveLength(1);
  });

  it("compares everything that rules make of the turns with what the run's end says", async () => {
    const stored = await store();
    const end = stored.result as NonNullable<StoredRun["result"]>;
    for (const patch of [
      { outcome: "undecided" },
      { reasons: ["because"] },
      { decision: { sum: 0, heard: [] } },
      { quorum: { ...end.quorum, answered: 0 } },
      { notes: [] },
      { promptTokens: { ...end.promptTokens, total: 0 } },
      { spend: { ...end.spend, calls: 0 } },
    ]) {
      const result = { ...end, ...patch } as typeof end;
      const entries = stored.entries.map((entry) =>
        entry.body.kind === "end" ? { ...entry, body: { ...entry.body, result } } : entry,
      );
      expect(await wrong({ ...stored, result, entries }), JSON.stringify(patch)).toHaveLength(1);
    }
  });

  it("lets a run that stopped early have made free calls that left no entry, but nothing that cost", async () => {
    const own = sqliteStore(":memory:");
    const setting = { store: own, castOf: async () => () => playerOf(() => ({ value: 1 }), 5) };
    const { runId } = await startRun(setting, { pack: toyPack, input, config, cast: "test", budget: { calls: 4 } });
    const stored = await readRun(own, runId);
    await own.close();
    const end = stored.result as NonNullable<StoredRun["result"]>;
    expect(end.outcome).toBe("budget_exhausted");
    const spending = async (spend: object) => {
      const result = { ...end, spend: { ...end.spend, ...spend } };
      const entries = stored.entries.map((entry) =>
        entry.body.kind === "end" ? { ...entry, body: { ...entry.body, result } } : entry,
      );
      return wrong({ ...stored, result, entries });
    };
    expect(await spending({ calls: end.spend.calls + 2 })).toEqual([]);
    for (const spend of [{ tokens: end.spend.tokens + 1_000 }, { usd: 1 }])
      expect((await spending(spend))[0], JSON.stringify(spend)).toContain("more than its calls can cost");
  });

  it("is not escaped by naming another version: what is wrong is said, and what replays is said to", async () => {
    const stored = await store();
    const run = { ...stored.run, manifest: { ...stored.run.manifest, parley: "9.9.9" } };
    expect(await checkReplay(toyPack, { ...stored, run })).toMatchObject([
      {
        ok: true,
        message: expect.stringMatching(/recorded decision, although it says that Parley 9\.9\.9 made it/) as unknown,
      },
    ]);
    const turns = stored.turns.map((turn, at) => (at === 2 ? { ...turn, reply: { value: 51 } } : turn));
    const [problem] = await wrong({ ...stored, run, turns });
    expect(problem).toMatch(/51.*It says that Parley 9\.9\.9 made it/s);
  });

  it("finds a key that is not the key of what was run, sealed or not", async () => {
    const own = sqliteStore(":memory:");
    const { run, entries } = await store();
    const forged = { ...run, key: "another", status: "running" as const };
    await own.create(forged);
    const journal = await own.journal(run.id);
    for (const { body } of entries)
      await journal.append(
        body.kind === "begin" ? { ...body, manifestHash: hashValue(pickSealedFacts(forged)) } : body,
        [],
      );
    const found = await verifyRun(own, run.id, toyPack);
    expect(found.find(({ ok }) => !ok)?.message).toBe("its key is not the key of its manifest");
    await own.close();
  });

  it("finds a journal whose turns share a place, or whose replies cannot be read, whatever its hashes say", async () => {
    const { run, entries } = await store();
    const forge = (change: (body: EntryBody) => void) =>
      rewrite(entries, (body) => {
        change(body);
        return body;
      });
    const moved = forge((body) => void (body.kind === "attempt" && body.place === 1 && (body.place = 0)));
    expect(checkOrder(run.id, moved)).toMatchObject([
      { ok: false, message: expect.stringContaining("place") as unknown },
    ]);
    for (const number of [0, 2]) {
      const skipped = forge((body) => void (body.kind === "attempt" && body.place === 1 && (body.number = number)));
      expect(checkOrder(run.id, skipped)).toMatchObject([{ ok: false }]);
    }
    const spoilt = forge((body) => void (body.kind === "attempt" && (body.attempt.raw += "x")));
    expect(() => assembleStoredRun(run, spoilt)).toThrow(/a reply of run .* does not match its turn/);
  });

  it("compares the end of a run that a person settled with the ruling", async () => {
    const escalating = {
      ...toyPack,
      protocol: async (...given: Parameters<typeof toyPack.protocol>) => ({
        ...(await toyPack.protocol(...given)),
        outcome: "escalated" as const,
        decision: { sum: 1, heard: [] },
      }),
    };
    const own = sqliteStore(":memory:");
    const setting = { store: own, castOf: async () => () => playerOf(() => ({ value: 1 })) };
    const { runId } = await startRun(setting, { pack: escalating, input, config, cast: "test" });
    await ruleOnRun(own, runId, { verdict: "upheld", ruling: "so be it", reviewer: "Noor" });
    const stored = await readRun(own, runId);
    await own.close();
    const wrongOf = async (one: StoredRun) => (await checkReplay(escalating, one)).filter(({ ok }) => !ok);
    expect(await wrongOf(stored)).toEqual([]);
    const result = stored.result as NonNullable<StoredRun["result"]>;
    for (const patch of [{ outcome: "undecided" }, { reasons: ["another ruling"] }])
      expect(await wrongOf({ ...stored, result: { ...result, ...patch } as typeof result })).toHaveLength(1);
  });

  it("holds the entries to an order that an engine can have written", async () => {
    const entries = await record();
    const at = (kind: string, from = 0): number => entries.findIndex(({ body }, n) => n >= from && body.kind === kind);
    const [call, attempt, end] = [at("call"), at("attempt"), at("end")];
    const entryOf = (n: number): JournalEntry => entries[n] as JournalEntry;
    const endAs = (outcome: string): EntryBody => {
      const body = entryOf(end).body as Extract<EntryBody, { kind: "end" }>;
      return { ...body, result: { ...body.result, outcome } } as EntryBody;
    };
    const orders: [string, JournalEntry[]][] = [
      ["a run begins once", [...entries.slice(0, 2), entryOf(0)]],
      [
        "material that is not at the start of the run",
        [
          ...entries.slice(0, attempt + 1),
          { ...entryOf(0), body: { kind: "material", hash: hashValue("late"), value: "late" } },
        ],
      ],
      ["its call was never recorded", entries.filter((_, n) => n !== call)],
      ["had already ended", [...entries.slice(0, attempt + 1), entryOf(attempt)]],
      ["had already ended", [...entries.slice(0, attempt + 1), entryOf(call)]],
      [
        "is asked in two places",
        [
          ...entries.slice(0, attempt),
          { ...entryOf(attempt), body: { ...entryOf(attempt).body, conclusion: null } as never },
          { ...entryOf(attempt), body: { ...entryOf(attempt).body, number: 2, place: 9, spent: noCost } as never },
        ],
      ],
      [
        "has 0 attempts, and then number 2",
        [entryOf(0), { ...entryOf(attempt), body: { ...entryOf(attempt).body, number: 2, spent: noCost } as never }],
      ],
      ["an entry after the run ended decided", [...entries, entryOf(call)]],
      [
        "a ruling on a run that was not escalated",
        [...entries, { ...entryOf(end), body: { kind: "review" } as never }],
      ],
      [
        "a turn between a ruling and the end it leads to",
        [
          ...entries.slice(0, -1),
          { ...entryOf(end), body: endAs("escalated") },
          { ...entryOf(end), body: { kind: "review" } as never },
          entryOf(call),
        ],
      ],
      ["a run ends that never began", [entryOf(end)]],
      ["an entry after the run ended decided", [...entries, entryOf(end)]],
      [
        "material that is not what its hash names",
        [entryOf(0), { ...entryOf(1), body: { kind: "material", hash: "0", value: 1 } }, ...entries.slice(1)],
      ],
    ];
    expect(checkOrder("run", entries).every(({ ok }) => ok)).toBe(true);
    for (const [says, order] of orders) {
      const [finding] = checkOrder("run", order);
      expect(finding, says).toMatchObject({ ok: false, message: expect.stringContaining(says) });
    }
  });
});

describe("the budget", () => {
  it("refuses a call of unknown price under a limit in USD, and says so", () => {
    const meter = createMeter({ usd: 1 }, () => 0);
    expect(() => meter.reserve("1/say/a", { calls: 1, tokens: 5, usd: null })).toThrow(/unknown price/);
    expect(meter.spend()).toMatchObject({ calls: 0, usd: 0, refused: [{ limit: "usd", needed: null, left: 1 }] });
    expect(() =>
      createMeter({ calls: 9 }, () => 0).reserve("1/say/a", { calls: 1, tokens: 5, usd: null }),
    ).not.toThrow();
  });

  it("lets no call begin once its time is over", () => {
    let nowMs = 99;
    const meter = createMeter({ wallMs: 100 }, () => nowMs);
    expect(() => meter.reserve("1/say/a", noCost)).not.toThrow();
    nowMs = 100;
    expect(() => meter.reserve("1/say/b", noCost)).toThrow(/time limit/);
    expect(meter.spend().refused).toMatchObject([{ turn: "1/say/b", limit: "time" }]);
  });

  it("counts what a call really came to, once, and lets exactly the limit through", () => {
    const meter = createMeter({ tokens: 10 }, () => 0);
    const settle = meter.reserve("1/say/a", { calls: 1, tokens: 10, usd: 0 });
    expect(() => meter.reserve("1/say/b", { calls: 1, tokens: 1, usd: 0 })).toThrow(/tokens limit/);
    expect(settle({ calls: 1, tokens: 4, usd: 0 })).toEqual({ calls: 1, tokens: 4, usd: 0 });
    expect(settle({ calls: 1, tokens: 0, usd: 0 })).toEqual({ calls: 1, tokens: 4, usd: 0 });
    expect(() => meter.reserve("1/say/b", { calls: 1, tokens: 6, usd: 0 })).not.toThrow();
    expect(meter.spend()).toMatchObject({ calls: 2, tokens: 10 });
  });

  it("of calls of which one has no known price has no known sum", () => {
    const known = { calls: 1, tokens: 5, usd: 0.1 };
    expect(sumWorstCases([known, { ...known, usd: null }])).toEqual({ calls: 2, tokens: 10, usd: null });
    expect(sumWorstCases([known, known]).usd).toBeCloseTo(0.2);
  });

  it("counts a call that died with its process, and no call twice", async () => {
    const entries = await record();
    const call = entries.findIndex(({ body }) => body.kind === "call");
    expect(recall(entries)).toMatchObject({ spent: { calls: 6, tokens: 30 }, lost: { calls: 0, tokens: 0 } });
    expect(recall(entries.slice(0, call + 1))).toMatchObject({ spent: { calls: 0 }, lost: { calls: 1, tokens: 10 } });
    const { result } = await runDebate({
      pack: toyPack,
      input,
      config,
      cast: () => playerOf(() => ({ value: 1 }), 5),
      budget: { calls: 6 },
      journal: createMemoryJournal(entries.slice(0, call + 1)),
    });
    expect(result.outcome).toBe("budget_exhausted");
  });
});
