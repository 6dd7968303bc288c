import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Run } from "../../src/contract/run.ts";
import type { Store } from "../../src/store/store.ts";
import { createEnd, createRun as create } from "./stored-run.ts";

const createRun = (id: string, { text = "the coffee was cold", ...facts }: Facts = {}): Run =>
  create(id, { createdAt: "2026-01-02T03:04:05.000Z", ...facts, input: { text } });
type Facts = { pack?: string; text?: string; caseId?: string; createdAt?: string };

async function readAll(store: Store, filter: object, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.page({ ...filter, limit, after });
    ids.push(...page.runs.map((run) => run.id));
    if (page.next === null) return ids;
    after = page.next;
  }
}

/** What is promised of pages of runs and of searching them, as tests. */
export function describePages(name: string, open: () => Store | Promise<Store>): void {
  describe(`pages of runs in ${name}`, () => {
    it("show every run once, newest first, whatever the size of a page", async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 5 }), async (count, limit) => {
          const store = await open();
          for (let n = 0; n < count; n += 1) await store.create(createRun(`r${String(n).padStart(2, "0")}`));
          const ids = await readAll(store, {}, limit);
          expect(ids).toEqual((await store.ids()).toReversed());
          expect((await store.page({ limit })).total).toEqual({ count, exact: true });
          await store.close();
        }),
        { numRuns: 10 },
      );
    });

    it("lose and repeat nothing when runs are added between two of them", async () => {
      const store = await open();
      for (const id of ["r1", "r2", "r3", "r4"]) await store.create(createRun(id));
      const first = await store.page({ limit: 2 });
      await store.create(createRun("r5"));
      const second = await store.page({ limit: 2, after: first.next ?? "" });
      expect([...first.runs, ...second.runs].map((run) => run.id)).toEqual(["r4", "r3", "r2", "r1"]);
      expect(second.next).toBeNull();
      await store.close();
    });

    it.each([
      [{ pack: "law" }, ["r3"]],
      [{ caseId: "c1" }, ["r2"]],
      [{ outcome: "decided" as const }, ["r3", "r1"]],
      [{ status: "running" as const }, ["r2"]],
      [{ from: "2026-02-01T00:00:00.000Z" }, ["r3"]],
      [{ to: "2026-02-01T00:00:00.000Z" }, ["r2", "r1"]],
      [{ outcome: "decided" as const, pack: "toy" }, ["r1"]],
      [{ outcome: "decided" as const, pack: "toy", caseId: "c1" }, []],
      [{ text: "커피" }, ["r3"]],
      [{ text: "커피 차가" }, ["r3"]],
      [{ text: "커피", outcome: "escalated" as const }, []],
      [{ text: "COLD", status: "running" as const }, ["r2"]],
      [{ text: "barista" }, ["r1"]],
      [{ text: '"cold" OR coffee* (NEAR' }, []],
      [{ text: "warm" }, []],
    ])("filter by %j", async (filter, expected) => {
      const store = await open();
      await store.create(createRun("r1"));
      await store.create(createRun("r2", { caseId: "c1" }));
      await store.create(
        createRun("r3", { pack: "law", text: "커피가 차가웠다", createdAt: "2026-03-01T00:00:00.000Z" }),
      );
      await (await store.journal("r1")).append(createEnd({ blame: ["the barista"] }), []);
      await (await store.journal("r3")).append(createEnd(null), []);
      expect(await readAll(store, filter, 1)).toEqual(expected);
      await store.close();
    });

    it("come in the order in which runs were stored, as a list does, also when their ids do not follow it", async () => {
      const store = await open();
      for (const id of ["r2", "r9", "r1"]) await store.create(createRun(id));
      expect(await readAll(store, {}, 2)).toEqual(["r1", "r9", "r2"]);
      expect((await store.list()).map((run) => run.id)).toEqual(["r1", "r9", "r2"]);
      expect(await readAll(store, { text: "coffee" }, 1)).toEqual(["r1", "r9", "r2"]);
      await store.close();
    });

    it("a stretch of time is paged from its end to its beginning", async () => {
      const store = await open();
      for (let n = 1; n < 8; n += 1)
        await store.create(createRun(`r${n}`, { createdAt: `2026-01-0${n}T00:00:00.000Z` }));
      const stretch = { from: "2026-01-02T00:00:00.000Z", to: "2026-01-06T00:00:00.000Z" };
      expect(await readAll(store, stretch, 3)).toEqual(["r5", "r4", "r3", "r2"]);
      expect((await store.page({ ...stretch, limit: 2 })).total.count).toBe(4);
      await store.close();
    });

    it("say that a text without a word cannot be looked for", async () => {
      const store = await open();
      await store.create(createRun("r1"));
      await expect(store.page({ text: "?!", limit: 5 })).rejects.toMatchObject({ code: "bad_input" });
      await store.close();
    });

    it("entries are read from where a follower stopped", async () => {
      const store = await open();
      await store.create(createRun("r1"));
      const journal = await store.journal("r1");
      for (let n = 0; n < 4; n += 1) await journal.append({ kind: "begin", version: 1, manifestHash: `${n}` }, []);
      expect((await store.entriesAfter("r1", -1, 9)).map((entry) => entry.seq)).toEqual([0, 1, 2, 3]);
      expect((await store.entriesAfter("r1", 1, 1)).map((entry) => entry.seq)).toEqual([2]);
      expect(await store.entriesAfter("r2", -1, 9)).toEqual([]);
      await store.close();
    });
  });
}
