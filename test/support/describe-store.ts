import { describe, expect, it } from "vitest";
import type { EntryBody } from "../../src/contract/journal.ts";
import { hashPrompt } from "../../src/engine/prompt.ts";
import { runDebate } from "../../src/engine/run-debate.ts";
import { leaseMs } from "../../src/store/lease.ts";
import type { Store } from "../../src/store/store.ts";
import { createAttempt, createEnd, createRun, manifest } from "./stored-run.ts";
import { playerOf, toyPack } from "./toy.ts";

/** How a store is opened for the suite that every implementation passes. */
export type StoreUnderTest = {
  /** An empty store. */
  open(): Store | Promise<Store>;
  /** The same store as seen from another machine, so much later; missing where a store belongs to one process. */
  join?(store: Store, laterMs: number): Store | Promise<Store>;
};

const begin = { kind: "begin", version: 1, manifestHash: "" } satisfies EntryBody;

/** The promises of `Store`, as tests. */
export function describeStore(name: string, { open, join }: StoreUnderTest): void {
  describe(`the ${name} store`, () => {
    it("gives a run back as it was created, and null for one it does not know", async () => {
      const store = await open();
      await store.create(createRun("r1", { caseId: "case 7", batch: "b" }));
      expect(await store.get("r1")).toMatchObject({ id: "r1", manifest, caseId: "case 7", batch: "b", entryCount: 0 });
      expect(await store.get("r2")).toBeNull();
    });

    it("stores one run of a key when several are to be the only one, in the whole store or in a batch", async () => {
      const store = await open();
      const ids = ["r1", "r2", "r3", "r4"];
      const runs = ids.map((id) => createRun(id, { key: "k", batch: "b" }));
      const made = await Promise.all(runs.map((run) => store.create(run, {})));
      expect(new Set(made).size).toBe(1);
      expect(await store.ids()).toEqual([made[0]]);
      expect(await store.create(createRun("r5", { key: "k", batch: "b" }), { batch: "b" })).toBe(made[0]);
      expect(await store.create(createRun("r6", { key: "k", batch: "c" }), { batch: "c" })).toBe("r6");
      expect(await store.create(createRun("r7", { key: "other" }), {})).toBe("r7");
    });

    it("refuses a second run with the same id", async () => {
      const store = await open();
      await store.create(createRun("r1"));
      await expect(store.create(createRun("r1"))).rejects.toMatchObject({ code: "store_failed" });
    });

    it("lists newest first, filtered and limited", async () => {
      const store = await open();
      for (const id of ["a1", "a2", "b1"]) await store.create(createRun(id, { batch: id.startsWith("a") ? "A" : "B" }));
      await store.setStatus("a2", { from: "running", to: "finished", outcome: "decided" });
      const ids = async (filter = {}) => (await store.list(filter)).map((run) => run.id);
      expect(await ids()).toEqual(["b1", "a2", "a1"]);
      expect(await ids({ batch: "A" })).toEqual(["a2", "a1"]);
      expect(await ids({ batch: "A", limit: 1 })).toEqual(["a2"]);
      expect(await ids({ key: "key-b1" })).toEqual(["b1"]);
      expect(await ids({ status: "finished" })).toEqual(["a2"]);
      expect(await ids({ pack: "law" })).toEqual([]);
    });

    it("keeps a debate's journal, its prompts, its head hash and its count", async () => {
      const store = await open();
      await store.create(createRun("r1"));
      const config = { rounds: 2, speakers: ["a", "b"] };
      const cast = () => playerOf(() => ({ value: 1 }), 3);
      const input = { question: "안녕?" };
      const { turns } = await runDebate({ pack: toyPack, input, config, cast, journal: await store.journal("r1") });
      const journal = await store.journal("r1");
      expect(journal.entries.map((entry) => entry.seq)).toEqual([...journal.entries.keys()]);
      expect(await store.get("r1")).toMatchObject({
        headHash: journal.entries.at(-1)?.hash,
        entryCount: journal.entries.length,
      });
      const prompt = await journal.prompt(turns[3]?.promptHash ?? "");
      expect(prompt?.join("\n")).toContain("안녕?");
      expect(await journal.prompt("unknown")).toBeNull();
    });

    it("gives back every prompt whole, also odd ones, and where several say the same in another place", async () => {
      const store = await open();
      await store.create(createRun("r1"));
      const [long, other] = ["It was said at length. ".repeat(20), "And then something else. ".repeat(20)];
      const said = [
        ["speak", "case", long, other],
        ["judge", "case", long, other, long],
        ["judge", other, "case"],
        ["judge", other, "case", "half of a character: \ud800, a zero: \u0000, \r\n", long],
      ];
      const written = await store.journal("r1");
      for (const texts of said) await written.append(createAttempt(hashPrompt(texts)), texts);
      const journal = await store.journal("r1");
      for (const texts of said) {
        expect(await journal.prompt(hashPrompt(texts))).toEqual(texts);
        expect(await written.prompt(hashPrompt(texts))).toEqual(texts);
      }
      expect(await store.problems()).toEqual([]);
    });

    it("knows which runs a person has ruled on, however much was said", async () => {
      const store = await open();
      for (const id of ["r1", "r2"]) await store.create(createRun(id));
      const journal = await store.journal("r2");
      const said = { reviewer: "Noor", at: "2026-01-01T00:00:00.000Z", ruling: "It is so. ".repeat(200) };
      await journal.append({ kind: "review", verdict: "upheld", ...said }, []);
      expect(await store.reviewed()).toEqual(["r2"]);
    });

    describeLeases(open);
    describeInbox(open);
    describeShared(open);
    if (join) describeOthers(open, join);
  });
}

/** What is promised of who may write to a run. */
function describeLeases(open: StoreUnderTest["open"]): void {
  it("lets one holder have a run at a time, each with a higher epoch, and says which are held", async () => {
    const store = await open();
    await store.create(createRun("r1"));
    const first = await store.lock("r1");
    await expect(store.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
    expect(await store.held()).toMatchObject([
      { run: "r1", epoch: first.epoch, state: "held", holder: { pid: process.pid } },
    ]);
    await first.release();
    expect(await store.held()).toEqual([]);
    const second = await store.lock("r1");
    expect(second.epoch).toBeGreaterThan(first.epoch);
    await first.release();
    await expect(store.lock("r1"), "released by one who no longer had it").rejects.toMatchObject({
      code: "run_locked",
    });
    await expect(store.lock("unknown")).rejects.toMatchObject({ code: "unknown_run" });
  });

  it("stores a run that is begun with its lease and its first entries, or nothing when another has its key", async () => {
    const store = await open();
    const { lease, journal, stored } = store.begin(createRun("r1", { key: "k" }), {});
    await Promise.all([stored, journal.append(begin, [])]);
    expect(await store.get("r1")).toMatchObject({ status: "running", entryCount: 1 });
    await expect(store.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
    await lease.release();
    expect((await store.lock("r1")).epoch).toBe(lease.epoch + 1);
    const second = store.begin(createRun("r2", { key: "k" }), {});
    const [id, append] = await Promise.allSettled([second.stored, second.journal.append(begin, [])]);
    expect(append.status).toBe("rejected");
    if (id.status === "fulfilled") expect(id.value).toBe("r1");
    expect(await store.ids()).toEqual(["r1"]);
    await second.lease.release();
    expect(await store.held()).toMatchObject([{ run: "r1" }]);
  });

  it("refuses what an earlier holder writes after a takeover, and stores nothing of it", async () => {
    const store = await open();
    await store.create(createRun("r1"));
    const old = await store.lock("r1");
    const oldJournal = await store.journal("r1", old);
    await oldJournal.append(begin, []);
    const young = await store.lock("r1", { takeOver: true });
    const youngJournal = await store.journal("r1", young);
    const late = oldJournal.append({ ...begin, manifestHash: "late" }, []);
    await expect(late).rejects.toMatchObject({ code: "lost_lease" });
    const interrupted = { from: "running", to: "interrupted", outcome: null } as const;
    await expect(store.setStatus("r1", interrupted, old)).rejects.toMatchObject({ code: "lost_lease" });
    await youngJournal.append({ ...begin, manifestHash: "young" }, []);
    await expect(oldJournal.append(begin, [])).rejects.toMatchObject({ code: "lost_lease" });
    const { entries } = await store.journal("r1");
    expect(entries.map(({ body }) => body.kind === "begin" && body.manifestHash)).toEqual(["", "young"]);
    expect(await store.get("r1")).toMatchObject({ status: "running", entryCount: 2 });
  });

  it("refuses an entry that does not follow the last one, as the holder writes it from two places", async () => {
    const store = await open();
    await store.create(createRun("r1"));
    const lease = await store.lock("r1");
    const [one, other] = [await store.journal("r1", lease), await store.journal("r1", lease)];
    await one.append(begin, []);
    await expect(other.append(begin, [])).rejects.toMatchObject({ code: "lost_lease" });
    expect(await store.get("r1")).toMatchObject({ entryCount: 1 });
  });

  it("refuses entries without a lease once somebody has had one", async () => {
    const store = await open();
    await store.create(createRun("r1"));
    const unleased = await store.journal("r1");
    await unleased.append(begin, []);
    await (await store.lock("r1")).release();
    await expect(unleased.append(begin, [])).rejects.toMatchObject({ code: "lost_lease" });
  });
}

/** What servers, budgets and retrieval keep in a store. */
function describeShared(open: StoreUnderTest["open"]): void {
  it("keeps the sessions of a server: the newest of them, until they end", async () => {
    const { sessions } = await open();
    const limits = { nowMs: 1_000, most: 2 };
    for (const [hash, endsMs] of [
      ["a", 3_000],
      ["b", 4_000],
      ["c", 5_000],
    ] as const)
      await sessions.keep(hash, { role: "reader", endsMs }, limits);
    expect(await sessions.find("a")).toBeNull();
    expect(await sessions.find("b")).toEqual({ role: "reader", endsMs: 4_000 });
    await sessions.keep("b", { role: "operator", endsMs: 6_000 }, limits);
    expect(await sessions.find("b")).toEqual({ role: "operator", endsMs: 6_000 });
    await sessions.keep("d", { role: "reader", endsMs: 7_000 }, { nowMs: 6_000, most: 9 });
    expect([await sessions.find("b"), await sessions.find("c")]).toEqual([null, null]);
  });

  it("counts a call whose cost nobody knows as what was set aside for it", async () => {
    const { spending } = await open();
    await spending.setLimits("shared", { usd: 1 });
    const worst = { calls: 1, tokens: 10, usd: 0.6 };
    const reserved = await spending.reserve(["shared"], worst);
    await spending.settle("charged" in reserved ? reserved.charged : [], worst, { calls: 1, tokens: 5, usd: null });
    expect(await spending.reserve(["shared"], worst)).toMatchObject({ name: "shared", limit: "usd" });
  });

  it("a run that has ended stays so, and no status is changed that is not as it was read", async () => {
    const store = await open();
    await store.create(createRun("r1"));
    const lease = await store.lock("r1");
    await (await store.journal("r1", lease)).append(createEnd(null), []);
    const late = { from: "running", to: "interrupted", outcome: null } as const;
    await expect(store.setStatus("r1", late, lease)).rejects.toMatchObject({ code: "lost_lease" });
    await expect(store.setStatus("r1", late)).rejects.toMatchObject({ code: "lost_lease" });
    expect(await store.get("r1")).toMatchObject({ status: "finished", outcome: "decided" });
  });

  it("a budget is exact to the last call: all budgets of a call are charged, or none", async () => {
    const { spending } = await open();
    const worst = { calls: 1, tokens: 100, usd: 0.1 };
    await spending.setLimits("batch b", { calls: 3 });
    await spending.setLimits("day", { usd: 0.25 });
    expect(await spending.limited(["batch b", "batch c", "day"])).toEqual(["batch b", "day"]);
    const names = ["batch b", "day"];
    const first = await spending.reserve(names, worst);
    const second = await spending.reserve(names, worst);
    expect("charged" in first && first.charged).toHaveLength(2);
    expect(await spending.reserve(names, worst)).toMatchObject({ limit: "usd", needed: 0.1 });
    if ("charged" in second) await spending.settle(second.charged, worst, { calls: 1, tokens: 10, usd: 0 });
    expect(await spending.reserve(names, worst)).toHaveProperty("charged");
    expect(await spending.reserve(["batch b"], worst)).toEqual({ name: "batch b", limit: "calls", needed: 1, left: 0 });
    expect(await spending.reserve(["day"], { ...worst, usd: null })).toMatchObject({ limit: "usd", needed: null });
  });

  it.each(["calls", "tokens", "usd"] as const)("a limit of %s holds by itself", async (limit) => {
    const { spending } = await open();
    const worst = { calls: 1, tokens: 100, usd: 0.1 };
    await spending.setLimits("one", { [limit]: { calls: 1, tokens: 150, usd: 0.15 }[limit] });
    expect(await spending.reserve(["one"], worst)).toHaveProperty("charged");
    expect(await spending.reserve(["one"], worst)).toMatchObject({ name: "one", limit, needed: worst[limit] });
  });

  it("sessions are found until they end, and the oldest go when there are too many", async () => {
    const { sessions } = await open();
    const keep = (hash: string, endsMs: number) =>
      sessions.keep(hash, { role: "reader", endsMs }, { nowMs: 10, most: 2 });
    for (const [hash, endsMs] of [
      ["over", 9],
      ["a", 20],
      ["b", 30],
      ["c", 40],
    ] as const)
      await keep(hash, endsMs);
    const found = await Promise.all(["over", "a", "b", "c"].map((hash) => sessions.find(hash)));
    expect(found).toEqual([null, null, { role: "reader", endsMs: 30 }, { role: "reader", endsMs: 40 }]);
  });

  it("runs that servers took up are known with how often, until they are forgotten", async () => {
    const { recovery, create } = await open();
    for (const id of ["r1", "r2"]) await create(createRun(id));
    for (const id of ["r1", "r2", "r1"]) await recovery.note(id);
    expect(await recovery.list()).toEqual([
      { run: "r1", tries: 2 },
      { run: "r2", tries: 1 },
    ]);
    await recovery.forget("r1");
    expect(await recovery.list()).toEqual([{ run: "r2", tries: 1 }]);
  });

  it("vectors come back as they were, of their model only", async () => {
    const store = await open();
    const vector = Float32Array.from([0.5, -1, 3]);
    await store.putVectors("m", new Map([["h1", vector]]));
    expect(await store.getVectors("m", ["h1", "h2"])).toEqual(new Map([["h1", vector]]));
    expect(await store.getVectors("other", ["h1"])).toEqual(new Map());
  });
}

const at = (laterMs: number): string => new Date(Date.now() + laterMs).toISOString();
const minuteMs = 60_000;

/** What a store knows of runs that wait for a person. */
function describeInbox(open: StoreUnderTest["open"]): void {
  it("two reviewers do not collide: one has the claim, renews it, and the other gets it when it is given back", async () => {
    const { inbox } = await open();
    const now = at(0);
    expect((await inbox.see(["r1", "r2"], now)).get("r2")).toMatchObject({ claim: null, closed: false });
    const claims = await Promise.all(
      ["ada", "ben", "cleo"].map((reviewer) => inbox.claim("r1", { reviewer, leaseMs: minuteMs }, now)),
    );
    const [held, ...more] = claims.filter((claim) => claim !== null);
    expect(more).toEqual([]);
    const { reviewer = "" } = held ?? {};
    expect((await inbox.see(["r1"], now)).get("r1")?.claim?.reviewer).toBe(reviewer);
    const renewed = await inbox.claim("r1", { reviewer, leaseMs: 2 * minuteMs }, now);
    expect(renewed && held && renewed.until > held.until).toBe(true);
    expect(await inbox.release("r1", "somebody else")).toBe(false);
    expect(await inbox.release("r1", reviewer)).toBe(true);
    expect(await inbox.claim("r1", { reviewer: "dee", leaseMs: minuteMs }, now)).toMatchObject({ reviewer: "dee" });
  });

  it("a run keeps the time since when it waits, until it is settled; one that is closed stays closed", async () => {
    const { inbox } = await open();
    const since = (await inbox.see(["r1"], at(0))).get("r1")?.since;
    expect((await inbox.see(["r1"], at(5_000))).get("r1")?.since).toBe(since);
    await inbox.settle("r1", true);
    expect((await inbox.see(["r1"], at(0))).get("r1")).toMatchObject({ closed: true, claim: null });
    await inbox.settle("r1", false);
    expect((await inbox.see(["r1"], at(9_000))).get("r1")).toMatchObject({ closed: false, claim: null });
  });
}

/** What is promised when several machines use a store. */
function describeOthers(open: StoreUnderTest["open"], join: NonNullable<StoreUnderTest["join"]>): void {
  it("keeps a run from other machines until its lease has run out, then gives it to the first who asks", async () => {
    const store = await open();
    await store.create(createRun("r1"));
    const lease = await store.lock("r1");
    const soon = await join(store, 0);
    await expect(soon.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
    const later = await join(store, leaseMs / 2);
    await expect(later.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
    const late = await join(store, leaseMs + 1_000);
    expect(await late.held()).toMatchObject([{ run: "r1", state: "run_out" }]);
    const taken = await late.lock("r1");
    expect(taken.epoch).toBeGreaterThan(lease.epoch);
    await expect((await store.journal("r1", lease)).append(begin, [])).rejects.toMatchObject({ code: "lost_lease" });
  });

  it("stores one run of a key when two machines begin it at one moment", async () => {
    const store = await open();
    const other = await join(store, 0);
    const pairs = Array.from({ length: 8 }, (_, n) => [`a${n}`, `b${n}`] as const);
    const made = await Promise.all(
      pairs.flatMap(([mine, theirs]) => [
        store.create(createRun(mine, { key: mine.slice(1) }), {}),
        other.create(createRun(theirs, { key: mine.slice(1) }), {}),
      ]),
    );
    expect(new Set(made).size).toBe(pairs.length);
    expect((await store.ids()).length).toBe(pairs.length);
  });

  it("gives a run to one of two machines that take it at one moment", async () => {
    const store = await open();
    const other = await join(store, 0);
    const ids = Array.from({ length: 24 }, (_, n) => `r${n}`);
    await Promise.all(ids.map((id) => store.create(createRun(id))));
    for (const id of ids) {
      const taken = await Promise.allSettled([store.lock(id), other.lock(id)]);
      expect(taken.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    }
  });

  it("shares its inbox: a claim of one machine keeps the other's reviewers off, and an abandoned one returns", async () => {
    const store = await open();
    const mine = { reviewer: "ada", leaseMs: minuteMs };
    const theirs = { reviewer: "ben", leaseMs: minuteMs };
    await store.inbox.claim("r1", mine, at(0));
    const soon = await join(store, 0);
    expect((await soon.inbox.see(["r1"], at(0))).get("r1")?.claim?.reviewer).toBe("ada");
    expect(await soon.inbox.claim("r1", theirs, at(0))).toBeNull();
    const late = await join(store, minuteMs + 1_000);
    expect((await late.inbox.see(["r1"], at(minuteMs + 1_000))).get("r1")?.claim).toBeNull();
    expect(await late.inbox.claim("r1", theirs, at(minuteMs + 1_000))).toMatchObject({ reviewer: "ben" });
  });

  it("lets go of its runs when it is closed", async () => {
    const store = await open();
    await store.create(createRun("r1"));
    const other = await join(store, 0);
    await store.lock("r1");
    await store.close();
    await expect(other.lock("r1")).resolves.toMatchObject({ epoch: 2 });
  });
}
