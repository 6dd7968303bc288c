import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import type { Manifest } from "../contract/run.ts";
import { runDebate } from "../engine/run-debate.ts";
import { memoryStore } from "./memory-store.ts";
import { sqliteStore } from "./sqlite-store.ts";
import type { Store } from "./store.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-store-"));
let files = 0;
const stores: Record<string, () => Store> = {
  memory: memoryStore,
  sqlite: () => sqliteStore(join(folder, `${++files}`, "parley.db")),
};

const manifest: Manifest = {
  version: 1,
  parley: "0",
  pack: "toy",
  input: { question: "?" },
  given: {},
  config: {},
  cast: "expert",
  seed: 0,
  budget: {},
  promptHashes: {},
  parent: null,
};
const createRun = (id: string, extra = {}) => ({
  id,
  manifest,
  caseId: null,
  key: `key-${id}`,
  batch: null,
  status: "running" as const,
  outcome: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  ...extra,
});

describe.each(Object.entries(stores))("the %s store", (_name, open) => {
  it("gives a run back as it was created, and null for one it does not know", async () => {
    const store = open();
    await store.create(createRun("r1", { caseId: "case 7", batch: "b" }));
    expect(await store.get("r1")).toMatchObject({ id: "r1", manifest, caseId: "case 7", batch: "b", entryCount: 0 });
    expect(await store.get("r2")).toBeNull();
  });

  it("refuses a second run with the same id", async () => {
    const store = open();
    await store.create(createRun("r1"));
    await expect(store.create(createRun("r1"))).rejects.toMatchObject({ code: "store_failed" });
  });

  it("lists newest first, filtered and limited", async () => {
    const store = open();
    for (const id of ["a1", "a2", "b1"]) await store.create(createRun(id, { batch: id.startsWith("a") ? "A" : "B" }));
    await store.setStatus("a2", "finished", "decided");
    const ids = async (filter = {}) => (await store.list(filter)).map((run) => run.id);
    expect(await ids()).toEqual(["b1", "a2", "a1"]);
    expect(await ids({ batch: "A" })).toEqual(["a2", "a1"]);
    expect(await ids({ idPrefix: "a", limit: 1 })).toEqual(["a2"]);
    expect(await ids({ key: "key-b1" })).toEqual(["b1"]);
    expect(await ids({ status: "finished" })).toEqual(["a2"]);
    expect(await ids({ pack: "law" })).toEqual([]);
  });

  it("keeps a debate's journal, its prompts, its head hash and its count", async () => {
    const store = open();
    await store.create(createRun("r1"));
    const config = { rounds: 2, speakers: ["a", "b"] };
    const cast = () => playerOf(() => ({ value: 1 }), 3);
    const { turns } = await runDebate({
      pack: toyPack,
      input: { question: "안녕?" },
      config,
      cast,
      journal: await store.journal("r1"),
    });
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

  it("lets one holder lock a run at a time", async () => {
    const store = open();
    await store.create(createRun("r1"));
    const unlock = await store.lock("r1");
    await expect(store.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
    await unlock();
    await (await store.lock("r1"))();
  });
});

describe("the SQLite store", () => {
  it("opens again with what was committed", async () => {
    const file = join(folder, "again.db");
    const first = sqliteStore(file);
    await first.create(createRun("r1"));
    await first.close();
    expect(await sqliteStore(file).get("r1")).toMatchObject({ id: "r1" });
  });

  it("says so when the file is something else", () => {
    const file = join(folder, "not.db");
    writeFileSync(
      file,
      "this is a text file, not a database, and long enough to be read as a header of one".repeat(20),
    );
    expect(() => sqliteStore(file)).toThrow(expect.objectContaining({ code: "corrupt_store" }));
  });

  it("takes over the lock of a process that is gone", async () => {
    const file = join(folder, "locks.db");
    const store = sqliteStore(file);
    await store.create(createRun("r1"));
    await store.lock("r1");
    const { DatabaseSync } = await import("node:sqlite");
    const raw = new DatabaseSync(file);
    raw.exec("UPDATE locks SET pid = 999999");
    raw.close();
    await expect(store.lock("r1")).resolves.toBeTypeOf("function");
  });
});

it("an entry in memory that is no JSON fails every reader, and takes no other entry with it", async () => {
  const store = memoryStore();
  await store.create(createRun("r1"));
  const journal = await store.journal("r1");
  await journal.append({ kind: "begin", version: 1, manifestHash: "" }, []);
  await journal.append({ kind: "begin", version: 1, manifestHash: 1n as never }, []);
  for (let reader = 1; reader <= 2; reader += 1) await expect(store.get("r1")).rejects.toThrow("BigInt");
  expect(() => journal.entries).toThrow("BigInt");
});

it("an entry that is added at the moment when the one before it fails is not stored", async () => {
  const file = join(folder, `${++files}`, "parley.db");
  const store = sqliteStore(file);
  await store.create(createRun("r1"));
  const database = new DatabaseSync(file);
  database.exec("CREATE TRIGGER no_room BEFORE INSERT ON entries WHEN NEW.seq = 0 BEGIN SELECT RAISE(ABORT, ''); END");
  const journal = await store.journal("r1");
  // A store that has not written for a moment commits at the end of the current task, before the tick below.
  for (const startMs = performance.now(); performance.now() - startMs < 3; ) database.prepare("SELECT 1").get();
  const append = () =>
    journal.append({ kind: "begin", version: 1, manifestHash: "" }, []).then(
      () => "stored",
      () => "refused",
    );
  const first = append();
  // Runs before anyone who waits for the first entry hears that it failed.
  const second = await new Promise((resolve) => process.nextTick(() => resolve(append())));
  expect([await first, second]).toEqual(["refused", "refused"]);
  expect(database.prepare("SELECT seq FROM entries").all()).toEqual([]);
  database.close();
});
