import { describe, expect, it } from "vitest";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast-of.ts";
import { readRun } from "../src/runs/read-run.ts";
import { redecide } from "../src/runs/redecide.ts";
import { startRun } from "../src/runs/start-run.ts";
import { verifyRun } from "../src/runs/verify-run.ts";
import { memoryStore } from "../src/store/memory-store.ts";

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
      expect(findings.find((finding) => finding.check === "replay")?.message).toContain("decision again");
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
