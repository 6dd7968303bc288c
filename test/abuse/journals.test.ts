/** A thousand damaged journals (fewer in `npm test`) of every kind of run: no crash, no hang, no accepted lie, and nothing is lost. */
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { hasCode, ParleyError } from "../../src/contract/error.ts";
import type { DebateResult } from "../../src/contract/result.ts";
import { turnIdOf } from "../../src/contract/turn.ts";
import { recallTurns } from "../../src/engine/journal.ts";
import { createRandom, type Random } from "../../src/text/random.ts";
import { loadPack } from "../../src/packs/registry.ts";
import { branchRun } from "../../src/runs/branch.ts";
import { diffRuns } from "../../src/runs/compare-runs.ts";
import { renderTerminal } from "../../src/print/terminal/render-terminal.ts";
import { loadPageRenderer } from "../../src/print/viewer-build.ts";
import { exportHtml } from "../../src/runs/export/export-run.ts";
import { exportJson } from "../../src/runs/export/export-run.ts";
import { exportMarkdown } from "../../src/runs/export/export-run.ts";
import { type ExportPage, exportPage } from "../../src/runs/export/export-run.ts";
import { present } from "../../src/runs/show-run.ts";
import { readRun, type StoredRun } from "../../src/runs/read-run.ts";
import { redecide } from "../../src/runs/redecide.ts";
import { continueRun } from "../../src/runs/start.ts";
import { verifyRun } from "../../src/runs/verify.ts";
import { sqliteStore } from "../../src/store/sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { contentOf, damages, rechain } from "../support/abuse/damage.ts";
import { promptDamages } from "../support/abuse/prompt-damage.ts";
import { buildFixture, castsWith, type Fixture, type Sample } from "../support/abuse/journal-fixture.ts";
import { pick } from "../support/abuse/random-values.ts";
import { newFolder } from "../support/cli.ts";
import { timesOf } from "../support/share.ts";

vi.setConfig({ testTimeout: 240_000 });
const seed = Number(process.env.PARLEY_ABUSE_SEED ?? 7);
let fixture: Fixture;
let original: Map<string, StoredRun>;

beforeAll(async () => {
  fixture = await buildFixture();
  const store = sqliteStore(fixture.file);
  original = new Map();
  for (const { id } of fixture.samples) original.set(id, await readRun(store, id));
  await store.close();
});

const folder = newFolder();
let files = 0;

/** Damages a copy of the fixture, hands it to `look`, and removes it. */
async function damaged<T>(
  change: (database: DatabaseSync) => void,
  look: (store: Store, file: string) => Promise<T>,
): Promise<T> {
  const file = join(folder, `${++files}.db`);
  copyFileSync(fixture.file, file);
  const database = new DatabaseSync(file);
  database.exec("PRAGMA synchronous = OFF");
  change(database);
  database.close();
  const store = sqliteStore(file);
  try {
    return await look(store, file);
  } finally {
    await store.close();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
  }
}

/** Most damage goes to runs that are quick to check; the others get their share. */
const anySample = (random: Random): Sample =>
  random() < 0.8 ? pick(random, fixture.samples.slice(0, 6)) : pick(random, fixture.samples);

const wrongWith = async (store: Store, id: string) => (await verifyRun(store, id)).filter((finding) => !finding.ok);

async function written(store: Store, { id, pack: name }: Sample, write: (page: ExportPage) => string): Promise<string> {
  const [stored, pack] = [await readRun(store, id), await loadPack(name)];
  const page = exportPage(pack, stored);
  return present(pack, stored, () => write(page));
}

const pages = await loadPageRenderer();

/** What one can do with a run, by name. */
const tools: Record<string, (store: Store, sample: Sample) => Promise<unknown>> = {
  show: async (store, { id, pack: name }) => {
    const [stored, pack] = [await readRun(store, id), await loadPack(name)];
    const style = { width: 80, color: false };
    return stored.result && present(pack, stored, (finished) => renderTerminal(pack.sections(finished), style));
  },
  json: async (store, { id }) => exportJson(store, await readRun(store, id)),
  md: (store, sample) => written(store, sample, exportMarkdown),
  html: (store, sample) => written(store, sample, (page) => exportHtml(page, pages)),
  redecide: async (store, { id, pack }) => redecide(await loadPack(pack), await readRun(store, id), []),
  branch: async (store, { id, pack }) =>
    branchRun({ store, castOf: castsWith(store) }, await loadPack(pack), await readRun(store, id), {
      from: "round-1",
      settings: [],
    }),
  diff: async (store, sample) => {
    const other = fixture.samples.find(({ pack, id }) => pack === sample.pack && id !== sample.id) ?? sample;
    return diffRuns(
      store,
      await loadPack(sample.pack),
      await readRun(store, sample.id),
      await readRun(store, other.id),
    );
  },
};

/** The error of a piece of work, null when there was none; anything but an operational failure is a crash. */
async function errorOf(work: Promise<unknown>, what: string): Promise<ParleyError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ParleyError) return error;
    throw new Error(`crashed: ${what}`, { cause: error });
  }
}

/** Resumes; returns the error and which turns were played. */
async function resumed(store: Store, { id, pack }: Sample, what: string) {
  const calls: string[] = [];
  const setting = { store, castOf: castsWith(store, (turn) => void calls.push(turn)) };
  const error = await errorOf(
    continueRun(setting, await loadPack(pack), id, { budget: { calls: 100 } }),
    `resume ${what}`,
  );
  return { error, calls };
}

describe("damage that leaves the hashes as they were", () => {
  const count = timesOf({ quick: 2 * Object.keys(damages).length, whole: 650 });
  it(`${count} times: verify finds it, every tool refuses with the run's name, resume calls nothing and changes nothing`, async () => {
    const random = createRandom(seed);
    const met = new Set<string>();
    const names = Object.keys(damages);
    for (let i = 0; i < count; i += 1) {
      const sample = anySample(random);
      const name = names[i % names.length] as string;
      let done: string | null = null;
      await damaged(
        (database) => void (done = damages[name]?.(database, sample.id, random) ?? null),
        async (store, file) => {
          if (done === null) return;
          met.add(name);
          const what = `${name} of ${sample.name}: ${done}`;
          expect((await wrongWith(store, sample.id)).length, what).toBeGreaterThan(0);
          const before = contentOf(file);
          const { error, calls } = await resumed(store, sample, what);
          const isOnlyAState = name === "another state" || (name === "edit a column" && done === "progress.status");
          if (!isOnlyAState) {
            expect(error, what).toMatchObject({ code: "corrupt_store", message: expect.stringContaining(sample.id) });
            expect(calls, what).toEqual([]);
            expect(contentOf(file), what).toBe(before);
          }
          const [tool, use] = pick(random, Object.entries(tools));
          const refusal = await errorOf(use(store, sample), `${tool} ${what}`);
          if (!isOnlyAState)
            expect(refusal, `${tool} ${what}`).toMatchObject({
              code: "corrupt_store",
              message: expect.stringContaining(sample.id),
            });
        },
      );
    }
    expect(names.filter((name) => !met.has(name))).toEqual([]);
  });
});

describe("damage to what was sent", () => {
  const count = timesOf({ quick: Object.keys(promptDamages).length, whole: 100 });
  it(`${count} times: the store's own check names it, and no tool shows a prompt that was not sent`, async () => {
    const random = createRandom(seed + 1);
    const met = new Set<string>();
    const names = Object.keys(promptDamages);
    for (let i = 0; i < count; i += 1) {
      const sample = anySample(random);
      const name = names[i % names.length] as string;
      let done: string | null = null;
      await damaged(
        (database) => void (done = promptDamages[name]?.(database, sample.id, random) ?? null),
        async (store) => {
          if (done === null) return;
          met.add(name);
          const what = `${name}: ${done}`;
          const found = [...(await store.problems())];
          const usesIt = name.includes("instructions") ? fixture.samples : [sample];
          for (const one of usesIt)
            if (found.length === 0 || usesIt.length === 1)
              found.push(...(await wrongWith(store, one.id)).map((finding) => finding.message));
          expect(found.length, what).toBeGreaterThan(0);
          for (const [tool, use] of Object.entries(tools)) {
            const refusal = await errorOf(use(store, sample), `${tool} ${what}`);
            if (refusal)
              expect(
                ["corrupt_store", "bad_input", "drifted", "not_recorded", "parked"],
                `${tool} ${refusal.message}`,
              ).toContain(refusal.code);
          }
        },
      );
    }
    expect(names.filter((name) => !met.has(name))).toEqual([]);
  });
});

/** The turns that a journal has the end of; null when it cannot be read. */
async function concluded(store: Store, id: string): Promise<string[] | null> {
  try {
    return recallTurns((await store.journal(id)).entries).map((turn) => turnIdOf(turn.key));
  } catch (error) {
    if (hasCode(error, "corrupt_store")) return null;
    throw error;
  }
}

/** What a reader of a run acts on. */
const factsOf = (result: DebateResult | null) =>
  result && JSON.stringify([result.outcome, result.reasons, result.decision, result.quorum, result.notes]);
const said = (stored: StoredRun) =>
  JSON.stringify(stored.turns.map(({ key, status, reply, problems }) => ({ key, status, reply, problems })));

describe("forgeries: damage with every hash made anew", () => {
  const names = Object.keys(damages).filter(
    (name) => !["no JSON", "lose the record", "another state", "edit a column"].includes(name),
  );
  const count = timesOf({ quick: 2 * names.length, whole: 250 });
  it(`${count} times: what passes verify says of turns and decision what it said before; nothing crashes, no recorded call is repeated`, async () => {
    const random = createRandom(seed + 2);
    const met = new Set<string>();
    let passed = 0;
    for (let i = 0; i < count; i += 1) {
      const sample = anySample(random);
      const name = names[i % names.length] as string;
      let done: string | null = null;
      await damaged(
        (database) => {
          done = damages[name]?.(database, sample.id, random) ?? null;
          rechain(database, sample.id);
        },
        async (store, file) => {
          if (done === null) return;
          met.add(name);
          const what = `${name} of ${sample.name}, hashes made anew: ${done}`;
          const wrong = await wrongWith(store, sample.id);
          const was = original.get(sample.id) as StoredRun;
          if (wrong.length === 0) {
            passed += 1;
            const now = await readRun(store, sample.id);
            if (now.result) expect(factsOf(now.result), what).toBe(factsOf(was.result));
            if (now.result) expect(said(now), what).toBe(said(was));
            else expect(said(was).startsWith(said(now).slice(0, -1)) || wrong.length === 0, what).toBe(true);
          }
          for (const [tool, use] of Object.entries(tools)) await errorOf(use(store, sample), `${tool} ${what}`);
          const before = contentOf(file);
          const recorded = new Set((await concluded(store, sample.id)) ?? []);
          const { error, calls } = await resumed(store, sample, what);
          expect(
            calls.filter((turn) => recorded.has(turn)),
            what,
          ).toEqual([]);
          if (hasCode(error, "corrupt_store"))
            expect({ calls, content: contentOf(file) }, what).toEqual({ calls: [], content: before });
        },
      );
    }
    expect(names.filter((name) => !met.has(name))).toEqual([]);
    expect(passed, "some edits change nothing that a rule or a reader looks at").toBeGreaterThan(0);
  });
});
