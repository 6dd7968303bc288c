import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { describeUpkeep, fillStore } from "../../test/support/describe-upkeep.ts";
import { verifyRun } from "../runs/verify.ts";
import { sqliteStore } from "./sqlite.ts";
import { backupStore, fileUpkeep, restoreStore } from "./sqlite-upkeep.ts";

let file = "";
let ids: string[] = [];

/** A store of three debates; the second is about a person. */
beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), "parley-upkeep-")), "parley.db");
  const store = sqliteStore(file);
  ids = await fillStore(store);
  await store.close();
});

const removeRuns = async (some: string[]) => {
  const upkeep = fileUpkeep(file);
  return upkeep.remove(some).finally(() => upkeep.close());
};

const wrongIn = async (of: string): Promise<string[]> => {
  const store = sqliteStore(of);
  const found = await Promise.all((await store.ids()).map((id) => verifyRun(store, id)));
  const problems = await store.problems();
  await store.close();
  return [...problems, ...found.flat().flatMap(({ ok, message }) => (ok ? [] : [message]))];
};

/** Everything that can be read from a store: its bytes, also of what was deleted. */
function readAll(place: string): string {
  const files = [place, `${place}-wal`, `${place}-tally`].filter(existsSync);
  return files.map((one) => readFileSync(one, "utf8")).join("\n");
}

describeUpkeep("a store in a file", async () => {
  const place = join(mkdtempSync(join(tmpdir(), "parley-upkeep-")), "parley.db");
  await sqliteStore(place).close();
  return {
    async use(work) {
      const store = sqliteStore(place);
      return work(store).finally(store.close);
    },
    upkeep: fileUpkeep(place),
    readAll: async () => readAll(place),
  };
});

it("removing runs frees their space", async () => {
  const before = statSync(file).size;
  expect(await removeRuns(ids.slice(0, 2))).toEqual({ left: null });
  expect(statSync(file).size).toBeLessThan(before);
});

describe("a backup", () => {
  it("is made while the store is written to, is whole, and is restored", async () => {
    const backup = `${file}.backup`;
    const writer = sqliteStore(file);
    const lease = await writer.lock(ids[0] ?? "");
    await backupStore(file, backup);
    await lease.release();
    expect((statSync(backup).mode & 0o777).toString(8)).toBe("600");
    await expect(restoreStore(backup, file, true)).rejects.toThrow(/in use by another process/);
    await writer.close();
    await removeRuns(ids);
    await expect(restoreStore(backup, file, false)).rejects.toThrow(/--replace/);
    await restoreStore(backup, file, true);
    expect(await wrongIn(file)).toEqual([]);
    const store = sqliteStore(file);
    expect(await store.ids()).toEqual(ids);
    expect((await store.page({ text: "Holm", limit: 5 })).runs.map(({ id }) => id)).toEqual([ids[1]]);
    await store.close();
  });

  it("never replaces a file that is there, and what is no store is no backup", async () => {
    await expect(backupStore(file, file)).rejects.toThrow(/there already/);
    const text = join(mkdtempSync(join(tmpdir(), "parley-upkeep-")), "notes.txt");
    await expect(restoreStore(text, `${file}.other`, false)).rejects.toThrow(/no store/);
  });
});
