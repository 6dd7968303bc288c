/** The in-memory store hands out what it was given: a caller that damages it is told the same as by the file. */
import { expect, it, vi } from "vitest";
import type { EntryBody, JournalEntry } from "../../src/contract/journal.ts";
import { ParleyError } from "../../src/contract/error.ts";
import { genesis, hashEntry } from "../../src/engine/journal.ts";
import { createRandom, type Random } from "../../src/text/random.ts";
import { loadPack, packNames } from "../../src/packs/registry.ts";
import { readRun } from "../../src/runs/read-run.ts";
import { continueRun, startRun } from "../../src/runs/start.ts";
import { verifyRun } from "../../src/runs/verify.ts";
import { memoryStore } from "../../src/store/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { edited } from "../support/abuse/damage.ts";
import { castsWith } from "../support/abuse/journal-fixture.ts";
import { pick } from "../support/abuse/random-values.ts";

vi.setConfig({ testTimeout: 120_000 });
const seed = Number(process.env.PARLEY_ABUSE_SEED ?? 7);

/** The store with other entries for one run. */
function withEntries(store: Store, id: string, entries: JournalEntry[]): Store {
  return {
    ...store,
    async journal(of) {
      const journal = await store.journal(of);
      if (of !== id) return journal;
      return {
        entries,
        append: (body, pieces) => journal.append(body, pieces),
        prompt: (hash) => journal.prompt(hash),
      };
    },
  };
}

const shuffled: Record<string, (random: Random, entries: JournalEntry[]) => JournalEntry[]> = {
  cut: (random, entries) => entries.slice(0, 1 + Math.floor(random() * (entries.length - 1))),
  drop: (random, entries) => entries.toSpliced(Math.floor(random() * entries.length), 1),
  repeat: (random, entries) => [...entries, pick(random, entries)],
  swap: (_, entries) => [entries[1], entries[0], ...entries.slice(2)].filter((entry) => entry !== undefined),
  edit: (random, entries) => {
    const at = Math.floor(random() * entries.length);
    return entries.map((entry, index) =>
      index === at
        ? { ...entry, body: JSON.parse(edited(random, JSON.stringify(entry.body)).text) as EntryBody }
        : entry,
    );
  },
};

it("120 times: verify finds it, and neither readRun nor resume builds on it", async () => {
  const random = createRandom(seed);
  const store = memoryStore();
  const castOf = castsWith(store);
  const runs: { id: string; pack: string }[] = [];
  for (const name of packNames.filter((one) => one !== "law")) {
    const pack = await loadPack(name);
    const { input, config } = pack.examples[0] as { input: unknown; config?: unknown };
    runs.push({ id: (await startRun({ store, castOf }, { pack, input, config, cast: "paid" })).runId, pack: name });
  }
  for (let i = 0; i < 120; i += 1) {
    const { id, pack } = pick(random, runs);
    const [name, damage] = Object.entries(shuffled)[i % 5] as [string, (typeof shuffled)[string]];
    const other = withEntries(store, id, damage(random, structuredClone([...(await store.journal(id)).entries])));
    expect(
      (await verifyRun(other, id)).some((finding) => !finding.ok),
      name,
    ).toBe(true);
    await expect(readRun(other, id), name).rejects.toMatchObject({ code: "corrupt_store" });
    const setting = { store: other, castOf };
    await expect(continueRun(setting, await loadPack(pack), id), name).rejects.toBeInstanceOf(ParleyError);
  }
});

it("what cannot be found out is what no rule and no hash speaks of: who played, when, and at what cost, in a chain made anew", async () => {
  const store = memoryStore();
  const pack = await loadPack("question");
  const { runId } = await startRun(
    { store, castOf: castsWith(store) },
    { pack, input: pack.examples[0]?.input, cast: "paid" },
  );
  const entries = structuredClone([...(await store.journal(runId)).entries]);
  for (const { body } of entries)
    if (body.kind === "attempt")
      Object.assign(body, { player: "someone/else", attempt: { ...body.attempt, durationMs: 1 } });
  let prev = genesis;
  const forged = entries.map(({ seq, body }) => {
    const entry = { seq, prev, hash: hashEntry(prev, seq, JSON.stringify(body)), body };
    prev = entry.hash;
    return entry;
  });
  const other = withEntries(store, runId, forged);
  expect((await verifyRun(other, runId)).some((finding) => !finding.ok)).toBe(true);
  const knowsTheHead: Store = { ...other, get: async (id) => ({ ...(await store.get(id)), headHash: prev }) as never };
  expect((await verifyRun(knowsTheHead, runId)).filter((finding) => !finding.ok)).toEqual([]);
});
