import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { loadPack } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { memoryStore } from "../src/store/memory-store.ts";
import { runStudy } from "../src/studies/run/run-study.ts";
import { findStudyFile, readStudy, type Study } from "../src/studies/run/study-file.ts";
import { summariseStudy } from "../src/studies/summary/summarise-study.ts";
import { newFolder } from "./support/cli.ts";

const data = process.env.PARLEY_DATA ?? resolve(import.meta.dirname, "../../shared/data");
const real = join(data, "absa_recorded/recorded_debates_ko.jsonl.gz");
const bundled = findStudyFile("sentiment_recorded", "/");

async function decideDebates(path: string, change: Partial<Study> = {}) {
  const study = { ...readStudy(bundled), ...change };
  const pack = await loadPack(study.pack);
  const store = memoryStore();
  const { manifest, scorecards } = await runStudy({
    study: { ...study, dataset: { ...study.dataset, path, made_up: false } },
    pack,
    folder: dirname(bundled),
    out: newFolder(),
    runs: { store, castOf: castOfStrings(store) },
  });
  return { manifest, scorecards, summary: summariseStudy(manifest, scorecards, pack.measure) };
}

const said = (polarity: string) => ({
  stage1: {
    aspects: [{ term: "Staff", span: { start: 0, end: 5 } }],
    aspect_sentiments: [{ aspect_ref: "Staff", polarity, evidence: "Staff were kind", confidence: 0.9 }],
  },
});
const row = { id: "a", text: "Staff were kind.", language_code: "en", gold: [{ term: "Staff", polarity: "positive" }] };

function writeRows(...rows: object[]): string {
  const path = join(newFolder(), "debates.jsonl");
  writeFileSync(path, rows.map((one) => JSON.stringify(one)).join("\n"));
  return path;
}

describe("debates that were held elsewhere", () => {
  it("are decided without a call, and the seed takes one recording of a text", async () => {
    const path = writeRows({ ...row, ...said("positive") }, { ...row, ...said("negative") });
    const { manifest, scorecards, summary } = await decideDebates(path, { seeds: [0, 1] });
    expect(manifest.dataset).toMatchObject({ cases: 1, notes: [expect.stringContaining("2 recorded debates of 1")] });
    expect(scorecards.filter(({ arm }) => arm === "full").map(({ seed, primary }) => [seed, primary])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(scorecards.every(({ cost }) => cost.usage.calls === 0)).toBe(true);
    expect(summary.verdict.sentences).toContain("No model was called: the rules were applied to recorded turns.");
  });

  it("refuses two texts under one id", async () => {
    const path = writeRows({ ...row, ...said("positive") }, { ...row, text: "Rooms were cold.", ...said("negative") });
    await expect(decideDebates(path)).rejects.toThrow(/debates\.jsonl.*its text or gold differs from that of "a"/);
  });

  it("have no vote: nobody read the text by himself", async () => {
    const path = writeRows({ ...row, ...said("positive") });
    const { scorecards, summary } = await decideDebates(path, { controls: ["vote"] });
    expect(scorecards.find(({ arm }) => arm === "vote")).toMatchObject({ outcome: "failed", primary: null });
    expect(summary.verdict.answer).toBe("cannot_say");
  });

  it.skipIf(!existsSync(real))("of a real model: the debate mends Stage 1 and the gate is never needed", async () => {
    const { summary } = await decideDebates(real, { seeds: [0, 1, 2] });
    const f1 = Object.fromEntries(summary.arms.map((one) => [one.arm.name, one.primary?.estimate ?? 0]));
    expect(f1).toMatchObject({ full: expect.closeTo(0.634, 3), single: expect.closeTo(0.461, 3) });
    expect(f1.no_debate_override).toBe(f1.full);
    expect(summary.verdict.answer).toBe("not_shown");
  });
});
