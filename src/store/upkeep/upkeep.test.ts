import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import { question } from "../../packs/question/pack.ts";
import { castOfStrings } from "../../runs/start/cast-of.ts";
import { readRun } from "../../runs/record/read-run.ts";
import { startRun } from "../../runs/start/start-run.ts";
import { verifyRun } from "../../runs/verify/verify-run.ts";
import { unpackEntries } from "../sqlite/sqlite-chunks.ts";
import { sqliteStore } from "../sqlite/sqlite-store.ts";
import { backupStore, restoreStore } from "./copy-file.ts";
import { eraseRuns, findRunsWith } from "./erase-runs.ts";
import { removeRuns } from "./remove-runs.ts";
import { compactStore, readStoreFacts } from "./store-facts.ts";

let file = "";
let ids: string[] = [];
const name = "Ida Holm of Møllegade";

/** A store of three debates; the second is about a person. */
beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), "parley-upkeep-")), "parley.db");
  const store = sqliteStore(file);
  const setting = { store, castOf: castOfStrings(store) };
  ids = [];
  for (const [caseId, who] of [
    ["a", "The mayor"],
    ["b", name],
    ["c", "The baker"],
  ] as const) {
    const docs = [{ id: "d", text: `${who} sold the mill because the railway took away its trade.` }];
    const input = { question: `Why did ${who} sell the mill?`, docs };
    ids.push((await startRun(setting, { pack: question, input, cast: "expert", caseId })).runId);
  }
  await store.close();
});

const wrongIn = async (of: string): Promise<string[]> => {
  const store = sqliteStore(of);
  const found = await Promise.all((await store.ids()).map((id) => verifyRun(store, id)));
  const problems = await store.problems();
  await store.close();
  return [...problems, ...found.flat().flatMap(({ ok, message }) => (ok ? [] : [message]))];
};

/** Everything that can be read from a store: its bytes, and its chunks unpacked. */
function readAll(): string {
  const database = new DatabaseSync(file);
  const chunks = database.prepare("SELECT run, data FROM chunks").all() as { run: string; data: string }[];
  const inside = chunks.flatMap(({ run, data }) => unpackEntries(data, run)).map(({ body, pieces }) => body + pieces);
  database.close();
  const bytes = [file, `${file}-wal`, `${file}-tally`].filter(existsSync).map((one) => readFileSync(one, "utf8"));
  return [...inside, ...bytes].join("\n");
}

describe("erasing", () => {
  it.each([
    ["by its case", { caseId: "b" }],
    ["by a text", { text: name }],
  ])("a person's data %s is gone from the file, and the rest verifies", async (_how, wanted) => {
    const store = sqliteStore(file);
    await store.page({ text: "Holm", limit: 5 });
    await store.close();
    expect(readAll()).toContain("Holm");
    const found = findRunsWith(file, wanted);
    expect(found).toEqual([ids[1]]);
    expect(await eraseRuns(file, found, "2026-11-15")).toEqual({ isClean: true });
    const left = readAll().toLowerCase();
    for (const word of ["holm", "møllegade"]) expect(left.includes(word), word).toBe(false);
    expect(findRunsWith(file, wanted)).toEqual([]);
    expect(await wrongIn(file)).toEqual([]);
    const again = sqliteStore(file);
    const findings = await verifyRun(again, ids[1] ?? "");
    expect(findings.map(({ check }) => check)).toEqual(["hash_chain", "erased"]);
    await expect(readRun(again, ids[1] ?? "")).rejects.toThrow(/was erased on 2026-11-15/);
    expect((await again.page({ text: "mill", limit: 5 })).runs.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
    await again.close();
  });

  it("a tombstone in the place of a single entry is told", async () => {
    await eraseRuns(file, [ids[1] ?? ""], "2026-11-15");
    const store = sqliteStore(file);
    const run = await store.get(ids[1] ?? "");
    const { entries } = await store.journal(ids[1] ?? "");
    expect(entries).toHaveLength(run?.entryCount ?? 0);
    expect(new Set(entries.map(({ body }) => body.kind))).toEqual(new Set(["erased"]));
    await store.close();
  });
});

it("removing runs frees their space and leaves the others whole", async () => {
  const before = statSync(file).size;
  expect(await removeRuns(file, [ids[0] ?? "", ids[1] ?? ""])).toEqual({ isClean: true });
  expect(statSync(file).size).toBeLessThan(before);
  expect(readAll()).not.toContain("Holm");
  const store = sqliteStore(file);
  expect(await store.ids()).toEqual([ids[2]]);
  expect((await readRun(store, ids[2] ?? "")).result?.outcome).toBe("decided");
  expect((await store.page({ text: "baker", limit: 5 })).runs).toHaveLength(1);
  await store.close();
  expect(await wrongIn(file)).toEqual([]);
});

it("what somebody has in hand is neither removed nor erased", async () => {
  const store = sqliteStore(file);
  await store.lock(ids[0] ?? "");
  await expect(removeRuns(file, ids)).rejects.toMatchObject({ code: "run_locked" });
  await expect(eraseRuns(file, ids, "2026-11-15")).rejects.toMatchObject({ code: "run_locked" });
  expect(await store.ids()).toEqual(ids);
  await store.close();
});

describe("a backup", () => {
  it("is made while the store is written to, is whole, and is restored", async () => {
    const backup = `${file}.backup`;
    const writer = sqliteStore(file);
    const lease = await writer.lock(ids[0] ?? "");
    backupStore(file, backup);
    await lease.release();
    expect((statSync(backup).mode & 0o777).toString(8)).toBe("600");
    expect(() => restoreStore(backup, file, true)).toThrow(/in use by another process/);
    await writer.close();
    await removeRuns(file, ids);
    expect(() => restoreStore(backup, file, false)).toThrow(/--replace/);
    restoreStore(backup, file, true);
    expect(await wrongIn(file)).toEqual([]);
    const store = sqliteStore(file);
    expect(await store.ids()).toEqual(ids);
    expect((await store.page({ text: "Holm", limit: 5 })).runs.map(({ id }) => id)).toEqual([ids[1]]);
    await store.close();
  });

  it("never replaces a file that is there, and what is no store is no backup", () => {
    expect(() => backupStore(file, file)).toThrow(/there already/);
    const text = join(mkdtempSync(join(tmpdir(), "parley-upkeep-")), "notes.txt");
    expect(() => restoreStore(text, `${file}.other`, false)).toThrow(/no store/);
  });
});

it("facts and compacting", () => {
  expect(readStoreFacts(file)).toMatchObject({ runs: 3, byStatus: { finished: 3 } });
  const { before, after } = compactStore(file);
  expect(after).toBeLessThanOrEqual(before);
});
