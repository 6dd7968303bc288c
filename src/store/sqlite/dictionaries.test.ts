import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import { question } from "../../packs/question/pack.ts";
import { copyRun } from "../../runs/record/copy-run.ts";
import { castOfStrings } from "../../runs/start/cast-of.ts";
import { startRun } from "../../runs/start/start-run.ts";
import { verifyRun } from "../../runs/verify/verify-run.ts";
import { memoryStore } from "../memory-store.ts";
import type { Store } from "../store.ts";
import { removeRuns } from "../upkeep/remove-runs.ts";
import { sqliteStore } from "./sqlite-store.ts";

let file = "";
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), "parley-dictionaries-")), "parley.db");
});

/** Enough to read that a debate about it is long. */
const annals = Array.from({ length: 40 }, (_, n) => ({
  id: `year-${1800 + n}`,
  text: `In ${1800 + n} the mill ground ${(n * 7919) % 997} sacks of rye and ${(n * 104729) % 991} of wheat, and the river stood ${(n * 31) % 17} feet high at the weir in spring. The keeper of that year wrote of ${["floods", "frost", "drought", "mice"][n % 4]}, and of ${["a new wheel", "two new stones", "a broken sluice"][n % 3]}.`,
}));

/** Plays a debate, and stores it at one moment: how a run is cut into chunks must not hang on the machine. */
async function play(to: Store, who: string): Promise<string> {
  const store = memoryStore();
  const docs = [{ id: "d", text: `${who} sold the mill because the railway took away its trade.` }, ...annals];
  const input = { question: `Why did ${who} sell the mill?`, docs };
  const setting = { store, castOf: castOfStrings(store) };
  const { runId } = await startRun(setting, { pack: question, input, cast: "expert" });
  await copyRun(store, to, runId, new Set());
  return runId;
}

async function use<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = sqliteStore(file);
  return work(store).finally(store.close);
}

/** Asks the file itself. */
function ask<T>(sql: string): T[] {
  const database = new DatabaseSync(file);
  try {
    return database.prepare(sql).all() as T[];
  } finally {
    database.close();
  }
}

const playAll = (...names: string[]): Promise<string[]> =>
  use(async (store) => {
    const ids: string[] = [];
    for (const name of names) ids.push(await play(store, name));
    return ids;
  });

/** What is wrong with the store and with each of its runs. */
const listWrong = (): Promise<string[]> =>
  use(async (store) => {
    const found = await Promise.all((await store.ids()).map((id) => verifyRun(store, id)));
    return [...(await store.problems()), ...found.flat().flatMap(({ ok, message }) => (ok ? [] : [message]))];
  });

const sizeOf = (run: string | undefined): number =>
  Number(ask<{ size: number }>(`SELECT sum(length(data)) AS size FROM chunks WHERE run = '${run}'`)[0]?.size);

describe("a dictionary", () => {
  it("is the text of a run before: the next run of the pack takes less room, and all verify", async () => {
    const [first, second, third] = await playAll("the mayor", "the baker", "the miller");
    expect(ask("SELECT run FROM dictionaries")).toEqual([{ run: first }]);
    expect(sizeOf(second)).toBeLessThan(sizeOf(first) * 0.9);
    expect(sizeOf(third)).toBeLessThan(sizeOf(first) * 0.9);
    expect(await listWrong()).toEqual([]);
  });

  it("is not made for a run that is alone", async () => {
    await playAll("the mayor");
    expect(ask("SELECT * FROM dictionaries")).toEqual([]);
  });

  it("is followed by another when it has served for long", async () => {
    const [, second] = await playAll("the mayor", "the baker");
    ask("UPDATE dictionaries SET since = since - 5000");
    const [third] = await playAll("the miller");
    const leaned = `SELECT run FROM dictionaries WHERE id = (SELECT base FROM chunks WHERE run = '${third}')`;
    expect(ask(leaned)).toEqual([{ run: second }]);
    expect(await listWrong()).toEqual([]);
  });

  it("goes with the run that it was made of: what leaned on it is packed anew, and nothing of that run is left", async () => {
    const [first = "", second, third] = await playAll("Ida Holm", "the baker", "the miller");
    const alone = sizeOf(first);
    await removeRuns(file, [first]);
    expect(ask("SELECT count(*) AS count FROM dictionaries WHERE run IN (SELECT id FROM runs)")).toEqual([
      { count: 1 },
    ]);
    expect(Math.max(sizeOf(second), sizeOf(third))).toBeLessThan(alone * 0.9);
    const raw = JSON.stringify(await use(async (store) => (await store.journal(second ?? "")).entries));
    expect(raw).toContain("the baker");
    expect(await listWrong()).toEqual([]);
    await removeRuns(file, [second ?? "", third ?? ""]);
    expect(ask("SELECT * FROM dictionaries")).toEqual([]);
  });

  it("stays when the run that goes said the same as one that stays", async () => {
    const [first, second = "", third = ""] = await playAll("the mayor", "the baker", "the miller");
    ask(`UPDATE dictionaries SET run = '${third}'`);
    ask(`UPDATE progress SET outcome = 'undecided' WHERE run_id = '${second}'`);
    await removeRuns(file, [third]);
    expect(ask("SELECT run FROM dictionaries")).toEqual([{ run: first }]);
    const entries = await use(async (store) => (await store.journal(second)).entries);
    expect(JSON.stringify(entries)).toContain("the baker");
  });

  it.each([
    ["changed", "UPDATE dictionaries SET data = CAST(substr(data, 1, 40) || x'00' || substr(data, 42) AS BLOB)"],
    ["another", "UPDATE dictionaries SET id = id + 1"],
    ["missing", "DELETE FROM dictionaries"],
  ])("that is %s is found, and takes nothing with it but what leans on it", async (_how, change) => {
    const [first = "", second = ""] = await playAll("the mayor", "the baker");
    ask(change);
    expect((await listWrong()).join("\n")).toMatch(new RegExp(`${second}.*not readable|packed against`));
    const wrong = await use((store) => verifyRun(store, first));
    expect(wrong.filter(({ ok }) => !ok)).toEqual([]);
    await playAll("the miller");
    await use(async (store) => expect((await store.list({ limit: 1 }))[0]?.outcome).toBe("decided"));
  });

  it("of a transaction that was undone is not leaned on", async () => {
    await playAll("the mayor");
    await use(async (store) => {
      ask(
        "CREATE TRIGGER no_room BEFORE INSERT ON chunks WHEN new.base IS NOT NULL BEGIN SELECT RAISE(ABORT, ''); END",
      );
      await expect(play(store, "the baker")).rejects.toMatchObject({ code: "store_failed" });
      expect(ask("SELECT * FROM dictionaries")).toEqual([]);
      ask("DROP TRIGGER no_room");
      const id = await play(store, "the miller");
      expect((await verifyRun(store, id)).filter(({ ok }) => !ok)).toEqual([]);
    });
    expect(ask("SELECT id FROM chunks WHERE base NOT IN (SELECT id FROM dictionaries)")).toEqual([]);
  });

  it("that another process has taken away meanwhile is not leaned on", async () => {
    const [first = ""] = await playAll("the mayor", "the baker");
    await use(async (store) => {
      await play(store, "the miller");
      await removeRuns(file, [first]);
      await play(store, "the smith");
    });
    expect(await listWrong()).toEqual([]);
  });
});
