import { describe, expect, it } from "vitest";
import * as z from "zod";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { DebateResultSchema } from "../src/contract/result.ts";
import { RunSchema } from "../src/contract/run.ts";
import { turnIdOf, TurnSchema } from "../src/contract/turn.ts";
import { branchRun } from "../src/runs/branch.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { diffRuns } from "../src/runs/compare-runs.ts";
import { exportJson } from "../src/runs/export/export-run.ts";
import { readRun } from "../src/runs/read-run.ts";
import { redecide } from "../src/runs/redecide.ts";
import { isFlip } from "./support/influence.ts";
import { startRun } from "../src/runs/start.ts";
import { verifyRun } from "../src/runs/verify.ts";
import { findLevers } from "../src/runs/why.ts";
import { memoryStore } from "../src/store/sqlite.ts";

/** A stretch of a prompt; `parent` is the number of the piece before it. Prompts that begin alike share pieces. */
const ExportedPieceSchema = z.strictObject({ parent: z.int().nonnegative().nullable(), text: z.string() });

/** A turn as it is exported: with its name, and the number of the last piece of what was sent. */
const ExportedTurnSchema = TurnSchema.extend({ id: z.string(), prompt: z.int().nonnegative() });

/** A run as one JSON value (`parley export --format json`); a change of this shape raises `version`. */
const ExportSchema = z.strictObject({
  version: z.literal(2),
  run: RunSchema,
  pieces: z.array(ExportedPieceSchema),
  turns: z.array(ExportedTurnSchema),
  result: DebateResultSchema.nullable(),
  people: z.array(z.strictObject({ by: z.string(), did: z.string(), where: z.string(), why: z.string() })),
});

/** Runs every example of a pack with the experts. */
async function runsOf(name: string) {
  const pack = await loadPack(name);
  const store = memoryStore();
  const setting = { store, castOf: castOfStrings(store) };
  const ids: string[] = [];
  for (const { input, config } of pack.examples)
    ids.push((await startRun(setting, { pack, input, config, cast: "expert" })).runId);
  return { pack, store, setting, ids };
}

describe.each(packNames)("what can be done with a run of the %s pack", (name) => {
  it("verify finds nothing wrong, and replays the rules to the same decision", async () => {
    const { store, ids } = await runsOf(name);
    for (const id of ids) {
      const findings = await verifyRun(store, id);
      expect(findings.filter((finding) => !finding.ok)).toEqual([]);
      expect(findings.find((finding) => finding.check === "replay")?.message).toContain("gives the recorded decision");
    }
  });

  it("exports have the documented shape", async () => {
    const { store, ids } = await runsOf(name);
    const stored = await readRun(store, ids[0] ?? "");
    const json: unknown = JSON.parse(JSON.stringify(await exportJson(store, stored)));
    expect(ExportSchema.safeParse(json).error).toBeUndefined();
  });

  it("branches from its last step to the same decision, and diff finds nothing", async () => {
    const { pack, store, setting, ids } = await runsOf(name);
    const stored = await readRun(store, ids[0] ?? "");
    const last = stored.turns.at(-1);
    if (!last) throw new Error("no turn");
    const { runId } = await branchRun(setting, pack, stored, { from: turnIdOf(last.key), settings: [] });
    const diff = await diffRuns(store, pack, stored, await readRun(store, runId));
    expect(diff).toMatchObject({ start: [], turns: [], rules: [], end: [] });
  });

  it("what would change it flips when it is really set", async () => {
    const { pack, store, ids } = await runsOf(name);
    for (const id of ids) {
      const stored = await readRun(store, id);
      const { tried, settings } = await findLevers(pack, stored);
      expect(tried).toBeGreaterThan(0);
      for (const {
        change: { setting, to },
      } of settings)
        expect(isFlip(await redecide(pack, stored, [`${setting}=${JSON.stringify(to)}`])), setting).toBe(true);
    }
  });

  it("redecide without a setting changes nothing, and keeps what the turns used", async () => {
    const { pack, store, ids } = await runsOf(name);
    for (const id of ids) {
      const stored = await readRun(store, id);
      const { config, outcome, decision, rules, finished } = await redecide(pack, stored, []);
      expect({ config, decision, rules }).toEqual({ config: [], decision: [], rules: [] });
      expect(outcome.after).toBe(outcome.before);
      expect(finished.result.usage).toEqual(stored.result?.usage);
    }
  });
});

it("a branch whose settings leave out a shared turn is refused, and no run is made", async () => {
  const { pack, store, setting, ids } = await runsOf("law");
  const stored = await readRun(store, ids[0] ?? "");
  const request = { from: "round-2", settings: ["critique=false"] };
  await expect(branchRun(setting, pack, stored, request)).rejects.toThrow(
    /1\/critique\/\w+ would not be asked there.*--from 1\/critique/,
  );
  expect(await store.ids()).toHaveLength(ids.length);
  const { runId } = await branchRun(setting, pack, stored, { ...request, from: "1/critique" });
  expect((await verifyRun(store, runId)).filter((finding) => !finding.ok)).toEqual([]);
});
