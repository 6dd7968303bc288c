import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { AnyPack } from "../src/engine/pack.ts";
import { loadPack } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import type { CastOf } from "../src/runs/start.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { writeReports } from "../src/studies/report/study-sections.ts";
import { mergeSettings } from "../src/studies/run/plan-arms.ts";
import { runStudy } from "../src/studies/run/run-study.ts";
import { bundledStudies, findStudyFile } from "../src/studies/run/study-file.ts";
import { readStudy } from "../src/studies/run/study-file.ts";
import { newFolder } from "./support/cli.ts";
import { shareOf, timesOf } from "./support/share.ts";

/** Runs a bundled study on its first cases with the expert cast, and hands back every prompt that a player saw. */
async function runBundled(name: string, limit: number, change: (pack: AnyPack) => AnyPack = (pack) => pack) {
  const file = findStudyFile(name, "/");
  const study = readStudy(file);
  const pack = change(await loadPack(study.pack));
  const store = memoryStore();
  const inner = castOfStrings(store);
  const seen: string[] = [];
  const castOf: CastOf = async (text, roles, budget) => {
    const cast = await inner(text, roles, budget);
    return (role) => ({
      ...cast(role),
      play: (one, input, turn) => {
        seen.push(JSON.stringify([turn.prompt, input]));
        return cast(role).play(one, input, turn);
      },
    });
  };
  const out = newFolder();
  const dataset = { ...study.dataset, limit };
  const done = await runStudy({
    study: { ...study, dataset },
    pack,
    folder: dirname(file),
    out,
    runs: { store, castOf },
  });
  return { done, out, pack, seen, study };
}

const wanted = [
  "abl_no_debate",
  "abl_no_debate_override",
  "law_no_critique",
  "law_rounds",
  "memory_conditions",
  "override_profiles",
  "panel_mmlu",
  "question_controls",
  "rca_ablations",
  "sentiment_ablations",
  "stance_vs_patch",
];

it("ships the ablations of the seeds and the controls of every pack", () => {
  expect(bundledStudies()).toEqual(wanted);
});

/** One of each pack and kind; the others differ in their arms only. */
const different = ["law_rounds", "panel_mmlu", "question_controls", "rca_ablations", "sentiment_ablations"];

it.each(wanted)("%s is a sound study file of a pack that is there", async (name) => {
  const study = readStudy(findStudyFile(name, "/"));
  const pack = await loadPack(study.pack);
  for (const arm of study.arms)
    expect(pack.config.safeParse(mergeSettings(study.config, arm.config ?? {})).success, arm.name).toBe(true);
});

describe.each(shareOf(wanted, (name) => different.includes(name)))("%s", (name) => {
  it("runs on its bundled data with experts: every arm complete, nothing failed, both reports written", async () => {
    const { done, out, pack, study } = await runBundled(name, timesOf({ quick: 1, whole: 6 }));
    expect(done.missing).toBe(0);
    expect(done.scorecards.filter((card) => card.outcome === "failed")).toEqual([]);
    expect(done.scorecards.every((card) => card.primary !== null)).toBe(true);
    const { summary, html, markdown } = await writeReports(out, done, pack);
    expect(summary.arms.filter((one) => one.arm.kind === "control").length).toBeGreaterThanOrEqual(2);
    for (const arm of study.arms) expect(readFileSync(markdown, "utf8").replaceAll("\\_", "_")).toContain(arm.name);
    expect(existsSync(html)).toBe(true);
    expect(existsSync(join(out, "manifest.json"))).toBe(true);
  });
});

it("redecision arms of the override profiles make no call", async () => {
  const { done } = await runBundled("override_profiles", 4);
  const again = done.scorecards.filter((card) => card.arm === "t1" || card.arm === "t2");
  expect(again.length).toBe(8);
  expect(again.every((card) => card.cost.usage.calls === 0 && card.cost.calls_saved > 0)).toBe(true);
});

const canary = "CANARY-7f3a";

/** Puts a canary into every text of the gold, after the pack has read it. */
function withCanary(pack: AnyPack): AnyPack {
  if (!pack.measure) return pack;
  const plant = (value: unknown): unknown => {
    if (typeof value === "string") return `${value} ${canary}`;
    if (Array.isArray(value)) return [...value.map(plant), canary];
    if (value === null || typeof value !== "object") return value;
    return { ...Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plant(one)])), canary };
  };
  return { ...pack, measure: { ...pack.measure, gold: pack.measure.gold.transform(plant), fitGold: undefined } };
}

it.each(["sentiment_ablations", "law_rounds", "rca_ablations", "question_controls"])(
  "gold never reaches a player: a canary in every gold of %s is in no prompt and no input",
  async (name) => {
    const golds: unknown[] = [];
    const { seen, done } = await runBundled(name, timesOf({ quick: 2, whole: 4 }), (pack) => {
      const planted = withCanary(pack);
      if (!planted.measure) return planted;
      const { score } = planted.measure;
      return {
        ...planted,
        measure: { ...planted.measure, score: (decision, gold) => (golds.push(gold), score(decision, gold)) },
      };
    });
    expect(JSON.stringify(golds)).toContain(canary);
    expect(done.scorecards.length).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.filter((text) => text.includes(canary))).toEqual([]);
  },
);
