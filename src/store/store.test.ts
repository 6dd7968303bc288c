import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, vi } from "vitest";
import { describePages } from "../../test/support/describe-pages.ts";
import { describeStore } from "../../test/support/describe-store.ts";
import { createRun } from "../../test/support/stored-run.ts";
import { describeThisProcess, leaseMs, lookForProcess } from "./lease.ts";
import { memoryStore } from "./sqlite.ts";
import { sqliteStore } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-store-"));
let files = 0;
const newFile = (): string => join(folder, `${++files}`, "parley.db");

describeStore("memory", { open: memoryStore });
describeStore("SQLite", {
  open: () => sqliteStore(newFile()),
  join: ({ location }, laterMs) => sqliteStore(location, { self: elsewhere, nowMs: () => Date.now() + laterMs }),
});

describePages("memory", memoryStore);
describePages("SQLite", () => sqliteStore(":memory:"));

/** A process of another machine. */
const elsewhere = { pid: 7, started: "1", host: "elsewhere", place: "another boot" };

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

  it("gives the runs of a dead process to the next one at once, of this space of process numbers only", async () => {
    const file = newFile();
    const { place } = describeThisProcess();
    const dead = { pid: 2 ** 31 - 2, started: "1", host: hostname(), place };
    const hidden = { ...dead, place: `${place}, another` };
    const [store, gone, unseen] = [{}, { self: dead }, { self: hidden }].map((options) => sqliteStore(file, options));
    for (const id of ["r1", "r2"]) await store?.create(createRun(id));
    await gone?.lock("r1");
    await unseen?.lock("r2");
    expect((await store?.held())?.map(({ state }) => state)).toEqual(["gone", "held"]);
    await expect(store?.lock("r1")).resolves.toMatchObject({ epoch: 2 });
    await expect(store?.lock("r2")).rejects.toMatchObject({ code: "run_locked" });
  });

  it("a dead host whose clock was a year ahead keeps its runs no longer than a lease, measured by whoever wants them", async () => {
    const file = newFile();
    const yearMs = 31_536_000_000;
    let nowMs = 1_000_000;
    const ahead = sqliteStore(file, { self: elsewhere, nowMs: () => nowMs + yearMs });
    await ahead.create(createRun("r1"));
    await ahead.lock("r1");
    const alsoAhead = sqliteStore(file, { self: { ...elsewhere, host: "a third" }, nowMs: () => nowMs + yearMs });
    const here = sqliteStore(file, { nowMs: () => nowMs });
    for (const store of [alsoAhead, here]) {
      const asked = store.lock("r1");
      await expect(asked).rejects.toMatchObject({ code: "run_locked" });
    }
    nowMs += leaseMs - 1;
    await expect(here.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
    nowMs += 1;
    await expect(here.lock("r1")).resolves.toMatchObject({ epoch: 2 });
  });

  it("a host whose clock is an hour behind keeps the runs that it holds", async () => {
    const file = newFile();
    const behind = sqliteStore(file, { self: elsewhere, nowMs: () => Date.now() - 3_600_000 });
    await behind.create(createRun("r1"));
    await behind.lock("r1");
    await expect(sqliteStore(file).lock("r1")).rejects.toMatchObject({ code: "run_locked" });
  });

  it("a process that has ended and was not collected holds nothing", async () => {
    const script = `const { spawn } = require("node:child_process");
      const child = spawn("true"); process.stdout.write(String(child.pid));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20_000);`;
    const parent = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      const pid = Number(String((await once(parent.stdout, "data"))[0]));
      const holder = { ...describeThisProcess(), pid, started: "" };
      await vi.waitFor(() => expect(lookForProcess(holder)).toBe("gone"), { timeout: 5_000 });
      expect(() => process.kill(pid, 0), "it is still there").not.toThrow();
    } finally {
      parent.kill("SIGKILL");
    }
  });

  it("a clock that is years ahead forgets no holder that is alive", async () => {
    const file = newFile();
    const yearMs = 31_536_000_000;
    const [past, future] = [-10, 10].map((years) => sqliteStore(file, { nowMs: () => Date.now() + years * yearMs }));
    await past?.create(createRun("r1"));
    await past?.lock("r1");
    await expect(future?.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
  });

  it("a process that lives here keeps its runs however long it gives no sign", async () => {
    const file = newFile();
    let nowMs = 1_000_000;
    const [holder, other] = [sqliteStore(file, { nowMs: () => nowMs }), sqliteStore(file, { nowMs: () => nowMs })];
    await holder.create(createRun("r1"));
    await holder.lock("r1");
    for (let n = 0; n < 3; n += 1) {
      await expect(other.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
      nowMs += leaseMs + 1;
    }
    await Promise.all([holder.close(), other.close()]);
  });

  it("keeps a run as long as its holder gives signs of life", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const file = newFile();
    let nowMs = 1_000_000;
    const store = sqliteStore(file, { nowMs: () => nowMs });
    const other = sqliteStore(file, { self: elsewhere, nowMs: () => nowMs });
    await store.create(createRun("r1"));
    await store.lock("r1");
    for (let beats = 0; beats < 10; beats += 1) {
      nowMs += leaseMs / 3;
      vi.advanceTimersByTime(leaseMs / 3);
      await store.setStatus("r1", { from: "running", to: "running", outcome: null });
      await expect(other.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
    }
    vi.useRealTimers();
    nowMs += leaseMs + 1;
    await expect(other.lock("r1")).resolves.toMatchObject({ epoch: 2 });
    await store.close();
  });
});

it("an entry in memory that is no JSON fails every reader", async () => {
  const store = memoryStore();
  const { journal } = store.begin(createRun("r1"));
  await journal.append({ kind: "begin", version: 1, manifestHash: "" }, []);
  await journal.append({ kind: "begin", version: 1, manifestHash: 1n as never }, []);
  for (let reader = 1; reader <= 2; reader += 1) await expect(store.get("r1")).rejects.toThrow("BigInt");
  await expect(store.journal("r1")).rejects.toThrow("BigInt");
});

it("an entry that is added at the moment when the one before it fails is not stored", async () => {
  const file = join(folder, `${++files}`, "parley.db");
  const store = sqliteStore(file);
  await store.create(createRun("r1"));
  const database = new DatabaseSync(file);
  database.exec("CREATE TRIGGER no_room BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, ''); END");
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
  expect(database.prepare("SELECT seq FROM entry").all()).toEqual([]);
  database.close();
});

it("who lost a run gives back nothing of its new holder's when it closes", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "parley-taken-")), "parley.db");
  const [old, young] = [sqliteStore(file), sqliteStore(file)];
  await old.create(createRun("r1"));
  await old.lock("r1");
  const { epoch } = await young.lock("r1", { takeOver: true });
  await old.close();
  expect(await young.held()).toMatchObject([{ run: "r1", epoch, state: "held" }]);
  await young.close();
});

it("a run that was given back is free for who gave it back, also when that could not be written", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "parley-back-")), "parley.db");
  const store = sqliteStore(file);
  await store.create(createRun("r1"));
  const lease = await store.lock("r1");
  const database = new DatabaseSync(file);
  database.exec("CREATE TRIGGER stuck BEFORE UPDATE OF holder ON lease BEGIN SELECT RAISE(ABORT, ''); END");
  await expect(lease.release()).rejects.toThrow();
  database.exec("DROP TRIGGER stuck");
  expect((await store.lock("r1")).epoch).toBe(lease.epoch + 1);
  await expect(store.lock("r1")).rejects.toMatchObject({ code: "run_locked" });
  database.close();
  await store.close();
});
