import fc from "fast-check";
import { expect, it } from "vitest";
import { createRun, manifest } from "../../test/support/stored-run.ts";
import { playerOf, toyPack } from "../../test/support/toy.ts";
import { RunIdSchema } from "../contract/api/index.ts";
import { ParleyError } from "../contract/error.ts";
import { memoryStore } from "../store/sqlite.ts";
import { findRun } from "./read-run.ts";
import { continueRun, createRunId, runKey, startRun } from "./start.ts";

it("ids made one after another sort in that order, within a millisecond too", () => {
  const second = Date.UTC(2026, 5, 1);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 2, maxLength: 40 }), (offsets) => {
      const ids = offsets.toSorted((a, b) => a - b).map((ms) => createRunId(second + ms));
      expect(ids).toEqual(ids.toSorted());
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(RunIdSchema.safeParse(id).success).toBe(true);
    }),
  );
});

it("a failed run whose players cannot be had stays as it failed", async () => {
  const store = memoryStore();
  const failing = playerOf(() => {
    throw new ParleyError("endpoint_failed", "the endpoint answered 500");
  });
  const request = { pack: toyPack, input: { question: "How many?" }, cast: "test" };
  const { runId } = await startRun({ store, castOf: async () => () => failing }, request);
  const failed = { status: "finished", outcome: "failed" };
  expect(await store.get(runId)).toMatchObject(failed);
  const castOf = async () => {
    throw new ParleyError("missing_key", "set OPENAI_API_KEY");
  };
  await expect(continueRun({ store, castOf }, toyPack, runId)).rejects.toMatchObject({ code: "missing_key" });
  expect(await store.get(runId)).toMatchObject(failed);
});

it("the first characters of an id name a run only where no other begins with them", async () => {
  const store = memoryStore();
  for (const id of ["1nfz15d-90e8d6", "1nfz15d-90f000"]) await store.create(createRun(id));
  await expect(findRun(store, "1nfz15d-90")).rejects.toThrow(/begins several runs: 1nfz15d-90f000, 1nfz15d-90e8d6/);
  expect(await findRun(store, "1nfz15d-90e")).toMatchObject({ id: "1nfz15d-90e8d6" });
});

it("a contested run is another case than the one it contests", () => {
  const challenge = { by: "Noor", statement: "That is repealed.", evidence: [], turns: ["1/say/a"] };
  expect(runKey({ ...manifest, challenge }, null)).not.toBe(runKey(manifest, null));
});
