import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { playerOf, toyPack } from "../../../test/support/toy.ts";
import { checkChain } from "../../runs/record/check-chain.ts";
import { pickSealedFacts } from "../../runs/record/run-seal.ts";
import { runDebate } from "../../engine/run-debate.ts";
import { schemaVersion } from "./sqlite-schema.ts";
import { sqliteStore } from "./sqlite-store.ts";

const fixtures = join(import.meta.dirname, "../../../test/support/stores");
const layouts = readdirSync(fixtures).map((name) => Number(/^layout-(\d+)\.db\.gz$/.exec(name)?.[1]));

/** A copy of a store as the Parley of that time left it: a finished toy debate and one that was stopped. */
function unpackStore(layout: number): string {
  const folder = mkdtempSync(join(tmpdir(), `parley-layout-${layout}-`));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "parley.db");
  writeFileSync(file, gunzipSync(readFileSync(join(fixtures, `layout-${layout}.db.gz`))));
  return file;
}

it("there is a store of every layout from 3 on that came before this one", () => {
  expect(layouts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: schemaVersion - 3 }, (_, index) => 3 + index));
});

it.each(layouts)("a store of layout %i opens with all that was in it, is searched, and goes on", async (layout) => {
  const file = unpackStore(layout);
  const store = sqliteStore(file);
  expect(await store.ids()).toEqual(["r1", "r2"]);
  expect(await store.problems()).toEqual([]);
  for (const run of await store.list()) {
    const journal = await store.journal(run.id);
    expect(checkChain(run, journal.entries).filter(({ ok }) => !ok)).toEqual([]);
    const prompts = journal.entries.flatMap(({ body }) => (body.kind === "attempt" ? [body.promptHash] : []));
    expect(prompts.length).toBeGreaterThan(2);
    for (const hash of prompts)
      expect((await journal.prompt(hash))?.join("\n")).toContain(`How much coffee, ${run.id}? 안녕`);
  }
  const page = await store.page({ text: "coffee r1", pack: "toy", batch: "old", outcome: "decided", limit: 9 });
  expect(page.runs.map(({ id }) => id)).toEqual(["r1"]);

  const [stopped] = await store.list({ status: "running" });
  const journal = await store.journal("r2", await store.lock("r2"));
  const input = stopped?.manifest.input as { question: string };
  const cast = () => playerOf(() => ({ value: 1 }), 3);
  const config = { rounds: 2, speakers: ["a", "b"] };
  const manifest = stopped && pickSealedFacts(stopped);
  await runDebate({ pack: toyPack, input, config, cast, journal, manifest });
  const ended = await store.get("r2");
  expect(ended).toMatchObject({ status: "finished", outcome: "decided" });
  await store.close();
  const again = sqliteStore(file);
  expect(ended && checkChain(ended, (await again.journal("r2")).entries)).toMatchObject([{ ok: true }]);
  await again.close();
});
