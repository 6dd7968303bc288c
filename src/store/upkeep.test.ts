import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, it } from "vitest";
import { describeUpkeep, fillStore } from "../../test/support/describe-upkeep.ts";
import { createAttempt, createEnd, createRun } from "../../test/support/stored-run.ts";
import { hashPrompt } from "../engine/prompt.ts";
import { describeThisProcess } from "./lease.ts";
import { fileUpkeep, sqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";

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

/** Everything that can be read from a store: its bytes, also of what was deleted. */
function readAll(place: string): string {
  const files = [place, `${place}-wal`].filter(existsSync);
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

it("what is erased is gone from the file also where it was packed", async () => {
  const place = join(mkdtempSync(join(tmpdir(), "parley-packed-")), "parley.db");
  const store = sqliteStore(place);
  await store.create(createRun("r1"));
  const journal = await store.journal("r1");
  const said = Array.from({ length: 200 }, (_, n) => `word${n * 7919}`).join(" ");
  const prompt = [said, said.slice(3, 900), "end"];
  await journal.append(createAttempt(hashPrompt(prompt)), prompt);
  await journal.append(createEnd({ said }), []);
  await store.close();
  const database = new DatabaseSync(place);
  const packed = database
    .prepare(
      "SELECT body FROM entry WHERE seq = 1 UNION ALL SELECT text FROM block WHERE length(text) > 100 UNION ALL SELECT texts FROM entry WHERE seq = 0",
    )
    .all();
  database.close();
  const upkeep = fileUpkeep(place);
  expect(await upkeep.find({ text: "word7919 word15838" })).toEqual(["r1"]);
  const bytes = packed.map((row) => Object.values(row)[0] as Uint8Array);
  const isThere = () => bytes.map((one) => readFileSync(place).includes(Buffer.from(one.subarray(0, 300))));
  expect(isThere()).toEqual([true, true, true]);
  await upkeep.erase(["r1"], "2026-01-01T00:00:00.000Z");
  await upkeep.close();
  expect(isThere()).toEqual([false, false, false]);
});

it("nothing is written any more by a holder that seemed gone when its run was erased", async () => {
  const place = join(mkdtempSync(join(tmpdir(), "parley-erased-")), "parley.db");
  const store = sqliteStore(place, { self: { ...describeThisProcess(), started: "long ago" } });
  await store.create(createRun("r1"));
  const lease = await store.lock("r1");
  const journal = await store.journal("r1", lease);
  await journal.append({ kind: "begin", version: 1, manifestHash: "" }, []);
  const upkeep = fileUpkeep(place);
  await upkeep.erase(["r1"], "2026-11-18").finally(() => upkeep.close());
  await expect(journal.append(createEnd({ said: "too late" }), [])).rejects.toMatchObject({ code: "lost_lease" });
  expect((await store.journal("r1")).entries.map(({ body }) => body.kind)).toEqual(["erased"]);
  await store.close();
});

it("a stored value that means the same, but is not as it was written, is damage", async () => {
  const place = join(mkdtempSync(join(tmpdir(), "parley-respelt-")), "parley.db");
  const store = sqliteStore(place);
  await store.create(createRun("r1"));
  await (await store.journal("r1")).append({ kind: "begin", version: 1, manifestHash: "" }, []);
  const database = new DatabaseSync(place);
  database.exec(`UPDATE entry SET body = replace(body, '"version":1', '"version": 1')`);
  database.close();
  await expect(store.journal("r1")).rejects.toMatchObject({ code: "corrupt_store" });
  await store.close();
});

const shared = ["instructions that every run is sent", "its own part"];

async function sendShared(store: Store, id: string): Promise<void> {
  await store.create(createRun(id));
  await (await store.journal(id)).append(createAttempt(hashPrompt(shared)), shared);
}

it("a text that another process removed with its last runs is stored again", async () => {
  const store = sqliteStore(file);
  for (const id of ["x1", "x2"]) await sendShared(store, id);
  await removeRuns(["x1", "x2"]);
  await sendShared(store, "x3");
  expect(await (await store.journal("x3")).prompt(hashPrompt(shared))).toEqual(shared);
  await store.close();
});

it("a text that two runs share is stored with the second try, when the first was taken back for another run", async () => {
  const store = sqliteStore(file);
  for (const id of ["x1", "x2", "x3"]) await store.create(createRun(id));
  const [one, two] = [await store.journal("x1"), await store.journal("x2")];
  const lost = await store.journal("x3", await store.lock("x3"));
  await store.lock("x3", { takeOver: true });
  const ended = await Promise.allSettled([
    ...[one, two].map((journal) => journal.append(createAttempt(hashPrompt(shared)), shared)),
    lost.append({ kind: "begin", version: 1, manifestHash: "" }, []),
  ]);
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  for (const id of ["x1", "x2"]) expect(await (await store.journal(id)).prompt(hashPrompt(shared))).toEqual(shared);
  await store.close();
});
