import { describe, expect, it } from "vitest";
import { question } from "../../src/packs/question/pack.ts";
import { readRun } from "../../src/runs/read-run.ts";
import { castOfStrings } from "../../src/runs/cast.ts";
import { startRun } from "../../src/runs/start.ts";
import { verifyRun } from "../../src/runs/verify.ts";
import type { Store } from "../../src/store/store.ts";
import type { Upkeep } from "../../src/store/sql-upkeep.ts";

/** A store that is looked after. */
export type KeptStore = {
  /** Opens the store for some work. */
  use<T>(work: (store: Store) => Promise<T>): Promise<T>;
  upkeep: Upkeep;
  /** Everything that can be read from where it is kept, as text. */
  readAll(): Promise<string>;
};

export const personName = "Ida Holm of Møllegade";

/** Fills a store with three debates; the second is about a person. */
export async function fillStore(store: Store): Promise<[string, string, string]> {
  const play = async (caseId: string, who: string): Promise<string> => {
    const docs = [{ id: "d", text: `${who} sold the mill because the railway took away its trade.` }];
    const input = { question: `Why did ${who} sell the mill?`, docs };
    const setting = { store, castOf: castOfStrings(store) };
    return (await startRun(setting, { pack: question, input, cast: "expert", caseId })).runId;
  };
  return [await play("a", "The mayor"), await play("b", personName), await play("c", "The baker")];
}

const listWrong = async (store: Store): Promise<string[]> => {
  const found = await Promise.all((await store.ids()).map((id) => verifyRun(store, id)));
  return [...(await store.problems()), ...found.flat().flatMap(({ ok, message }) => (ok ? [] : [message]))];
};

/** The promises of `Upkeep`, as tests. */
export function describeUpkeep(name: string, open: () => Promise<KeptStore>): void {
  describe(`looking after ${name}`, () => {
    it.each([
      ["by its case", { caseId: "b" }],
      ["by a text", { text: personName }],
    ])("a person's data %s is gone, its entries are tombstones, and everything verifies", async (_how, wanted) => {
      const { use, upkeep, readAll } = await open();
      const ids = await use(fillStore);
      await use((store) => store.page({ text: "Holm", limit: 5 }));
      expect(await readAll()).toContain("Holm");
      const found = await upkeep.find(wanted);
      expect(found).toEqual([ids[1]]);
      await upkeep.erase(found, "2026-11-15");
      const left = (await readAll()).toLowerCase();
      for (const word of ["holm", "møllegade"]) expect(left.includes(word), word).toBe(false);
      expect(await upkeep.find(wanted)).toEqual([]);
      await upkeep.close();
      await use(async (store) => {
        expect(await listWrong(store)).toEqual([]);
        const findings = await verifyRun(store, ids[1]);
        expect(findings.map(({ check }) => check)).toEqual(["hash_chain", "erased"]);
        await expect(readRun(store, ids[1])).rejects.toThrow(/was erased on 2026-11-15/);
        const { entries } = await store.journal(ids[1]);
        expect(entries).toHaveLength((await store.get(ids[1]))?.entryCount ?? 0);
        expect(new Set(entries.map(({ body }) => body.kind))).toEqual(new Set(["erased"]));
        const page = await store.page({ text: "mill", limit: 5 });
        expect(page.runs.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
      });
    });

    it("runs are removed with all that was theirs, and the others stay whole", async () => {
      const { use, upkeep, readAll } = await open();
      const ids = await use(fillStore);
      await upkeep.remove([ids[0], ids[1]]);
      expect(await readAll()).not.toContain("Holm");
      await upkeep.close();
      await use(async (store) => {
        expect(await store.ids()).toEqual([ids[2]]);
        expect((await readRun(store, ids[2])).result?.outcome).toBe("decided");
        expect((await store.page({ text: "baker", limit: 5 })).runs).toHaveLength(1);
        expect(await listWrong(store)).toEqual([]);
      });
    });

    it("what somebody has in hand is neither removed nor erased", async () => {
      const { use, upkeep } = await open();
      await use(async (store) => {
        const ids = await fillStore(store);
        const lease = await store.lock(ids[0]);
        await expect(upkeep.remove(ids)).rejects.toMatchObject({ code: "run_locked" });
        await expect(upkeep.erase(ids, "2026-11-15")).rejects.toMatchObject({ code: "run_locked" });
        expect(await store.ids()).toEqual(ids);
        expect(await listWrong(store)).toEqual([]);
        await lease.release();
      });
      await upkeep.close();
    });
  });
}
