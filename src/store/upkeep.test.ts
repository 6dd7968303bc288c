import { existsSync, mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { describeUpkeep, fillStore } from "../../test/support/describe-upkeep.ts";
import { fileUpkeep, sqliteStore } from "./sqlite.ts";

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
