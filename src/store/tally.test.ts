import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { createRun } from "../../test/support/stored-run.ts";
import { sqliteStore } from "./sqlite.ts";
import { locateTally } from "./sqlite-file.ts";

const begin = { kind: "begin", version: 1, manifestHash: "" } as const;

/** A store as it stands on disk while a process writes to it: runs r0 … r9, the first five of them no longer only in the log. */
async function copyLiveStore(): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), "parley-tally-")), "parley.db");
  for (const runs of [
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8, 9],
  ]) {
    const store = sqliteStore(file);
    for (const n of runs) {
      await store.create(createRun(`r${n}`));
      await (await store.journal(`r${n}`)).append(begin, []);
    }
    if (runs[0] === 0) await store.close();
    else {
      const copy = join(dirname(file), "copy.db");
      for (const end of ["", "-wal", "-tally"]) copyFileSync(`${file}${end}`, `${copy}${end}`);
      await store.close();
      return copy;
    }
  }
  return file;
}

it.each([
  ["deleted", (log: string) => rmSync(log)],
  ["cut to half", (log: string) => truncateSync(log, statSync(log).size / 2)],
])("a log that was %s is noticed, also after the store has gone on", async (_how, damage) => {
  const file = await copyLiveStore();
  damage(`${file}-wal`);
  const store = sqliteStore(file);
  expect((await store.problems()).join("\n")).toMatch(/its last writes are missing, the newest of them of run r9/);
  for (let n = 10; n < 30; n += 1) {
    await store.create(createRun(`r${n}`));
    await (await store.journal(`r${n}`)).append(begin, []);
  }
  await store.close();
  const again = sqliteStore(file);
  expect(await again.problems()).toHaveLength(1);
  await again.close();
});

it("a store that lost nothing has nothing to say, with and without its tally", async () => {
  const file = await copyLiveStore();
  const store = sqliteStore(file);
  expect(await store.ids()).toHaveLength(10);
  expect(await store.problems()).toEqual([]);
  await store.close();
  rmSync(locateTally(file));
  const again = sqliteStore(file);
  expect(await again.problems()).toEqual([]);
  await again.close();
});

it("only its owner may read a store that is made, or its folder", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "parley-private-")), "a", ".parley");
  const file = join(folder, "parley.db");
  const store = sqliteStore(file);
  await store.create(createRun("r1"));
  await (await store.journal("r1")).append(begin, []);
  const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(folder)).toBe("700");
  for (const end of ["", "-wal", "-shm", "-tally"]) expect(modeOf(`${file}${end}`), end).toBe("600");
  await store.close();
});
