import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CastOptions } from "../src/players/seat.ts";
import { loadPack } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { memoryStore } from "../src/store/memory-store.ts";
import { collectPilotArms, parseStudy, runStudy } from "../src/studies/index.ts";
import { newFolder } from "./support/cli.ts";
import { startModelServer } from "./support/model-server.ts";

const choices = ["tea", "milk", "water"];
const rows = Array.from({ length: 40 }, (_, at) =>
  JSON.stringify({ id: `q${at}`, input: { question: `Question ${at}?`, choices }, gold: { answer: "A", choices } }),
).join("\n");

/** Words to argue with, so that a change of answer has a reason. */
const reasons =
  "granite copper violin meadow lantern harbour orchard compass glacier saffron thunder velvet marble".split(" ");

const all = ["single", "vote", "self_consistency", "adaptive_vote", "on_disagreement", "self_moa", "mixed"];

async function run(controls: string[] | undefined, cast: string, castOptions: CastOptions = {}, limit = 40) {
  const folder = newFolder();
  writeFileSync(join(folder, "q.jsonl"), rows);
  const listed = controls === undefined ? "" : `controls: [${controls.join(", ")}]\n`;
  const text = `study: adaptive\npack: question\ndataset: { path: q.jsonl, limit: ${limit} }\ncast: ${cast}\narms: [{ name: debate }]\n${listed}`;
  const store = memoryStore();
  const pack = await loadPack("question");
  const study = parseStudy(text, "study.yaml");
  const done = await runStudy({
    study,
    pack,
    folder,
    out: join(folder, "out"),
    runs: { store, castOf: castOfStrings(store, castOptions) },
  });
  return { ...done, arms: collectPilotArms(done.manifest, done.scorecards) };
}

describe("adaptive protocols as control arms", () => {
  it("run beside the usual ones when a study lists them, those that sample at the debate's budget", async () => {
    const { arms, manifest } = await run(all, '"synthetic(accuracy=0.6,conformity=0.3)"');
    expect(manifest.left_out).toEqual([]);
    expect(arms.map(({ name }) => name).toSorted()).toEqual([...all, "debate"].toSorted());
    const calls = Object.fromEntries(arms.map(({ name, cost }) => [name, cost.calls]));
    expect(calls.self_consistency).toBeCloseTo(calls.debate ?? 0, 0);
    expect(calls.self_moa).toBeLessThanOrEqual((calls.debate ?? 0) + 0.5);
    expect(calls.adaptive_vote).toBeLessThanOrEqual(calls.self_consistency ?? 0);
    expect(calls.mixed).toBe(4);
  });

  it("run with models too, and what each asked is what the model's server saw", async () => {
    let seen = 0;
    const server = await startModelServer({
      respond: () => {
        seen += 1;
        const answer = choices[seen % 7 < 4 ? 0 : seen % 3] ?? "";
        const reasoning = Array.from({ length: 6 }, (_, at) => reasons[(seen * 5 + at) % reasons.length]).join(" ");
        return { value: { reasoning, quotes: [], answer, short_answer: answer, confidence: 0.6 } };
      },
    });
    const endpoints = [{ name: "compatible", base_url: server.baseUrl }];
    const { arms, manifest, missing, scorecards } = await run(all, "compatible/m", { endpoints }, 12);
    await server.close();
    expect([missing, manifest.left_out]).toEqual([0, []]);
    expect(scorecards.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const asked = scorecards.reduce((sum, card) => sum + card.cost.usage.calls, 0);
    expect(asked).toBe(seen);
    const calls = Object.fromEntries(arms.map(({ name, cost }) => [name, cost.calls]));
    expect(calls.single).toBe(1);
    expect(Math.abs((calls.self_consistency ?? 0) - (calls.debate ?? 0))).toBeLessThanOrEqual(1);
    expect(calls.adaptive_vote).toBeLessThanOrEqual(calls.self_consistency ?? 0);
  });

  it("are left out unless listed, and say why where sampling means nothing", async () => {
    const { manifest } = await run(undefined, "expert");
    const names = manifest.arms.map(({ name }) => name);
    expect(names).not.toContain("adaptive_vote");
    const sampled = await run(["adaptive_vote", "self_moa"], "expert");
    expect(sampled.manifest.left_out.map(({ name }) => name)).toEqual(["adaptive_vote", "self_moa"]);
    expect(sampled.manifest.left_out[0]?.reason).toContain("deterministic");
  });
});
