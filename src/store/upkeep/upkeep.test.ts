import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import { describeUpkeep, fillStore } from "../../../test/support/describe-upkeep.ts";
import { verifyRun } from "../../runs/verify/verify-run.ts";
import { createChunks, type StoredChunk } from "../sqlite/sqlite-chunks.ts";
import { createDictionaries } from "../sqlite/dictionaries.ts";
import { sqliteStore } from "../sqlite/sqlite-store.ts";
import { backupStore, restoreStore } from "./copy-file.ts";
import { fileUpkeep } from "./file-upkeep.ts";
import { removeRuns } from "./remove-runs.ts";
import { compactStore, readStoreFacts } from "./store-facts.ts";

let file = "";
let ids: string[] = [];

/** A store of three debates; the second is about a person. */
beforeEach(async () => {
  file = join(mkdtempSync(join(tmpdir(), "parley-upkeep-")), "parley.db");
  const store = sqliteStore(file);
  ids = await fillStore(store);
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
function readAll(file: string): string {
  const database = new DatabaseSync(file);
  const chunks = database.prepare("SELECT run, data, base FROM chunks").all() as StoredChunk[];
  const { unpack } = createChunks(database);
  const { read } = createDictionaries(database, () => "");
  const inside = chunks.flatMap(unpack).map(({ body, pieces }) => body + pieces);
  const dictionaries = database.prepare("SELECT id FROM dictionaries").all() as { id: number }[];
  inside.push(...dictionaries.map(({ id }) => Buffer.from(read(id)).toString()));
  database.close();
  const bytes = [file, `${file}-wal`, `${file}-tally`].filter(existsSync).map((one) => readFileSync(one, "utf8"));
  return [...inside, ...bytes].join("\n");
}

describeUpkeep("a store in a file", async () => {
  const place = join(mkdtempSync(join(tmpdir(), "parley-upkeep-")), "parley.db");
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
  expect(await removeRuns(file, ids.slice(0, 2))).toEqual({ isClean: true });
  expect(statSync(file).size).toBeLessThan(before);
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
